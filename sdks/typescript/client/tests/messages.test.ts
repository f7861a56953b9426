/** Holds the parser to sdks/spec/messages.json. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
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
    return part.source === `{${part.name}}` ? { argument: part.name } : { argument: part.name, source: part.source };
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
