import { expect, test } from "vitest";
import { checkUses, findUntranslated, findUnused, leaveOut, nearest } from "../src/checking.js";
import type { Draft } from "../src/content.js";
import type { Use } from "../src/uses.js";

const use = (given: Partial<Use>): Use => ({ key: undefined, name: "x", file: "a.ts", line: 1, params: [], ...given });
const TEXTS = new Map([
  ["home.title", ["Home"]],
  ["home.hello", ["Hello {name}", "Hallo {name} aus {city}"]],
  ["general.friend_male", ["He"]],
]);

test("a text needs the parameters of all its languages", () => {
  const found = checkUses(
    [
      use({ key: "home.hello", params: ["name"] }),
      use({ key: "home.hello", params: undefined }),
      use({ key: "home.hello", params: ["city", "name", "more"] }),
    ],
    TEXTS,
  );

  expect(found.map((one) => [one.kind, one.message])).toEqual([
    ["missing-parameter", '"home.hello" needs the parameter "city".'],
  ]);
});

test("a name without a valid key is unknown, and a computed name is not checked", () => {
  const found = checkUses([use({ name: "…" }), use({ prefix: "home." }), use({ prefix: "" })], TEXTS);

  expect(found.map((one) => [one.kind, one.key])).toEqual([["unknown-key", "…"]]);
});

test("a key with a context is known by any of its endings", () => {
  const friend = use({ key: "general.friend", prefix: "general.friend_" });

  expect(checkUses([friend, use({ key: "general.foe", prefix: "general.foe_" })], TEXTS)).toHaveLength(1);
  expect(findUnused([friend], TEXTS).map((one) => one.key)).toEqual(["home.title", "home.hello"]);
});

test("the nearest key differs in at most two characters", () => {
  expect(nearest("home.titel", ["home.title", "home.tit", "home.hello"])).toBe("home.title");
  expect(nearest("home.tip", ["home.title"])).toBeUndefined();
});

test("a regional language may leave a text to its parent", () => {
  const project = { languages: ["en", "de", "de-AT", "fr"], defaultLanguage: "en" } as unknown as Draft["project"];
  const draft = { project, contents: [], texts: { home: { title: { en: "Home", de: "Start", fr: "" } } } };

  expect(findUntranslated(draft).map((one) => [one.key, one.language])).toEqual([["home.title", "fr"]]);
});

test("patterns leave out findings about keys, and nothing else", () => {
  const findings = [
    { kind: "unused-key", key: "legacy.a", message: "" },
    { kind: "missing-language", language: "fr", message: "" },
  ] as const;

  expect(leaveOut(findings, ["legacy.*"])).toEqual([findings[1]]);
});
