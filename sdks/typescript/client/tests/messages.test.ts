/** Holds the parser to sdks/spec/messages.json. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatIcuMessage } from "../src/adapters.js";
import { createLivery, formatMessage, type TextParam } from "../src/index.js";
import { HASH, type Part, parseMessage, readMessage } from "../src/message-parser.js";

interface Vectors {
  messages: { text: string; parts: unknown[] }[];
  malformed: { text: string }[];
}
const vectors = JSON.parse(readFileSync(new URL("../../../spec/messages.json", import.meta.url), "utf8")) as Vectors;

/** A part in the form of the file. An argument's source is left out where it is the plain source. */
function described(part: Part): unknown {
  if (typeof part === "string") return part;
  if (part === HASH) return { number: true };
  if (part.kind === "argument") {
    const { name, type, style, source } = part;
    return {
      argument: name,
      ...(type && { type }),
      ...(style && { style }),
      ...(source !== `{${name}}` && { source }),
    };
  }
  const branches = Object.fromEntries([...part.branches].map(([selector, parts]) => [selector, parts.map(described)]));
  return { [part.kind]: part.name, ...(part.offset === 0 ? {} : { offset: part.offset }), branches };
}

test.each(vectors.messages)("the parts of '$text'", ({ text, parts }) => {
  const read = parseMessage(text);

  expect(read.map(described)).toEqual(parts);
  const sources = read.map((part) => (part === HASH ? "#" : typeof part === "string" ? part : part.source));
  expect(sources.join("")).toBe(text);
});

test.each(vectors.malformed)("'$text' is malformed", ({ text }) => {
  expect(() => parseMessage(text)).toThrow();
  expect(readMessage(text)).toEqual([text]);
});

test("what stands for an argument can be another placeholder, while values choose the branches", () => {
  const text = "{who}: {n, plural, one {# trip of {who}} other {# trips of {{who}}}} {n} {gone} {x, plural, other {#}}";
  const write = (name: string) => (name === "gone" ? undefined : `<${name}>`);

  expect(formatMessage(text, { who: "Ada", n: 1, x: "many" }, "en", write)).toBe(
    "<who>: 1 trip of <who> <n> {gone} <x>",
  );
  expect(formatMessage(text, { who: "Ada", n: 2, x: "" }, "en", write)).toBe("<who>: 2 trips of <who> <n> {gone} <x>");
  expect(formatMessage(text, { who: "Ada", n: 2, x: "many" }, "en")).toBe("Ada: 2 trips of Ada 2 {gone} many");
});

test("a moment is a Date, milliseconds, or a string with a zone, and is shown in the zone of the reader", () => {
  const at = new Date(2026, 2, 7, 15, 4, 5);
  const shown = [at, at.getTime(), at.toISOString(), "2026-03-07T15:04:05"].map((value) =>
    formatMessage("{at, date, short}, {at, time, short}", { at: value }, "de"),
  );

  expect(shown).toEqual(Array(4).fill("07.03.26, 15:04"));
  expect(formatMessage("[{at, date}]", { at: new Date(Number.NaN) }, "de")).toBe("[Invalid Date]");
  expect(formatMessage("{at, date, short}", { at: 8.64e15 + 1 }, "de")).toBe("8640000000000001");
});

test("a moment is shown in a zone of choice, and a day or time without a zone is the same in each zone", () => {
  const at = new Date("2026-03-07T23:30:00Z");
  const shown = (value: TextParam) =>
    formatMessage("{at, date, short}, {at, time, short}", { at: value }, "de", undefined, "Pacific/Auckland");
  const moments = [at, at.getTime(), at.toISOString(), "2026-03-07T23:30Z", "2026-03-08T01:30+02:00"];

  expect(moments.map(shown)).toEqual(Array(5).fill("08.03.26, 12:30"));
  expect(["2026-03-07T23:30", "2026-03-07"].map(shown)).toEqual(["07.03.26, 23:30", "07.03.26, 00:00"]);
  expect(formatIcuMessage("'{' {at, time, short}", { at }, "de", undefined, "Asia/Tokyo")).toBe("{ 08:30");
});

test("a client shows moments in its zone", () => {
  const fallback = { language: "de", texts: { home: { at: "{at, time, short}" } }, colors: {} };
  const options = { projectId: "prj_1", key: "lvp_1", baseUrl: "", connection: "off", cache: false, fallback } as const;

  const client = createLivery({ ...options, timeZone: "Asia/Tokyo" });

  expect(client.t("home.at", { at: "2026-03-07T23:30:00Z" })).toBe("08:30");
});

test("values with a type are written by Livery where another library fills in the others", () => {
  const write = (name: string) => `<${name}>`;

  expect(formatMessage("{n, number} {who} {m, number}", { n: 1234.5, who: "Ada", m: "many" }, "de", write)).toBe(
    "1.234,5 <who> <m>",
  );
});
