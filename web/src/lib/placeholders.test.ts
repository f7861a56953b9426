import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { placeholderWarning, segmentsOf } from "./placeholders";

interface Vectors {
  placeholders: { text: string; are: string[] }[];
  warnings: { source: string; target: string; language: string; is: string | null }[];
}

/** The server checks AI's answers by the same rules: one list for both. */
const vectors = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../tests/vectors/placeholders.json"), "utf8"),
) as Vectors;

test.each(vectors.placeholders)("the placeholders of '$text'", ({ text, are }) => {
  const segments = segmentsOf(text);

  expect(segments.filter(({ kind }) => kind === "placeholder").map((segment) => segment.text)).toEqual(are);
  expect(segments.map((segment) => segment.text).join("")).toBe(text);
});

test.each(vectors.warnings)("'$target' as a translation of '$source'", ({ source, target, language, is }) => {
  expect(placeholderWarning(source, target, language)).toBe(is);
});
