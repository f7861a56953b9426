/** The cases of sdks/spec/messages.json, which the server's checks run too. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { placeholderWarning, pluralWarning } from "./message-checks";
import { isPlaceholder, segmentsOf } from "./messages";

interface Vectors {
  malformed: { text: string; problem: string }[];
  placeholders: { text: string; are: string[] }[];
  plurals: { text: string; forms: string[]; language: string; is: string | null }[];
  warnings: { source: string; target: string; language: string; is: string | null }[];
}

const vectors = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../sdks/spec/messages.json"), "utf8"),
) as Vectors;

test.each(vectors.placeholders)("the placeholders of '$text'", ({ text, are }) => {
  const segments = segmentsOf(text);

  expect(segments.filter(isPlaceholder).map((segment) => segment.text)).toEqual(are);
  expect(segments.map((segment) => segment.text).join("")).toBe(text);
  for (const segment of segments) expect(text.slice(segment.at).startsWith(segment.text)).toBe(true);
});

test("texts made to be slow are looked at quickly", () => {
  const begin = process.cpuUsage();
  const numbers = (count: number, of: (number: number) => string) =>
    Array.from({ length: count }, (_, at) => of(at)).join("");
  for (const text of [
    `%${"0".repeat(20_000)}`,
    `{n, plural, offset:${"9".repeat(5_000)} other {x}}`,
    `${numbers(2_500, (number) => `{${number}}`)}{n, plural, ${numbers(60, (number) => `=${number} {} `)}other {x}}`,
    "{a}<b>".repeat(3_000),
    "<b {a}> ".repeat(2_000),
  ]) {
    expect(placeholderWarning(text, text, "English")).toBe(null);
  }
  // CPU time, as the machine may be busy: tenths of a second.
  expect(process.cpuUsage(begin).user).toBeLessThan(2_000_000);
});

test.each(vectors.malformed)("'$text' is malformed", ({ text, problem }) => {
  expect(pluralWarning(text, [], "English")).toBe(problem);
});

test.each(vectors.plurals)("the plurals of '$text' in $language", ({ text, forms, language, is }) => {
  expect(pluralWarning(text, forms, language)).toBe(is);
});

test.each(vectors.warnings)("'$source' as '$target'", ({ source, target, language, is }) => {
  expect(placeholderWarning(source, target, language)).toBe(is);
});
