/** Holds messages with apostrophes that quote to sdks/spec/apostrophes.json. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatIcuMessage } from "../src/adapters.js";
import { createLivery } from "../src/index.js";
import type { TextParams } from "../src/types.js";

interface Case {
  text: string;
  params: TextParams | null;
  gives: string;
}
const cases = JSON.parse(readFileSync(new URL("../../../spec/apostrophes.json", import.meta.url), "utf8")) as Case[];

test.each(cases)("apostrophes quote in '$text'", ({ text, params, gives }) => {
  expect(formatIcuMessage(text, params ?? undefined, "en")).toBe(gives);
});

test("a client formats its texts and its fallbacks with the option, and chooses no other syntax without it", () => {
  const options = { projectId: "prj_1", key: "lvp_1", baseUrl: "", connection: "off", cache: false } as const;
  const bundle = { language: "en", texts: { home: { title: "'{'{name}'}' isn''t" } }, colors: {} };

  const quoting = createLivery({ ...options, fallback: bundle, format: formatIcuMessage });
  const plain = createLivery({ ...options, fallback: bundle });

  expect(quoting.t("home.title", { name: "Ada" })).toBe("{Ada} isn't");
  expect(quoting.t("home.none", { name: "Ada" }, "'{'{name}'}'")).toBe("{Ada}");
  expect(plain.t("home.title", { name: "Ada" })).toBe("'{'Ada'}' isn''t");
});
