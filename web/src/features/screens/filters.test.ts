import { expect, test } from "vitest";
import { aKey } from "@/testing/fixtures";
import { matchesFilter } from "./filters";
import type { KeyRecord } from "./queries";

const textOf = (record: KeyRecord, language: string) => record.values[language] ?? "";
const isMissing = (values: Record<string, string>, target: string | undefined) =>
  matchesFilter(aKey("title", values), "missing", { source: "en", target }, textOf, () => false);

test("a key is missing a text if it lacks a text in a shown language, the default language included", () => {
  expect(isMissing({ en: "Book", de: "Buchen" }, "de")).toBe(false);
  expect(isMissing({ en: "Book" }, "de")).toBe(true);
  expect(isMissing({ de: "Buchen" }, "de")).toBe(true);
  expect(isMissing({ en: "Book" }, undefined)).toBe(false);
});
