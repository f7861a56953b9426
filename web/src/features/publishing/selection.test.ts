import { expect, test } from "vitest";
import { type Change, type Changes, close, select, shortened, stateOf, takeIn } from "./selection";

const change = (ref: string, values: Partial<Change> = {}): Change => ({
  ref,
  by: "usr_1",
  isRemoval: false,
  needs: [],
  tie: null,
  slots: [],
  ...values,
});

const texts = (ref: string, languages: readonly string[], values: Partial<Change> = {}): Change =>
  change(ref, {
    slots: languages.map((language) => ({ ref: `${ref}/${language}`, by: values.by ?? "usr_1", needs: [], tie: null })),
    ...values,
  });

const changesOf = (groups: Record<string, readonly Change[]>): Changes => new Map(Object.entries(groups));

const sorted = (refs: Iterable<string>) => [...refs].sort();

const promo = changesOf({
  project: [change("screen:promo")],
  "screen/promo": [texts("text:a", ["en", "de"], { needs: ["screen:promo"] }), texts("text:b", ["en"])],
  colors: [change("color:primary", { by: "usr_2" })],
});

test("a selector names the changes of a place, of a person, or all of them", () => {
  expect(sorted(select(promo, ["in:screen/promo"]))).toEqual(["text:a", "text:b"]);
  expect(sorted(select(promo, ["by:usr_2"]))).toEqual(["color:primary"]);
  expect(sorted(select(promo, ["all"]))).toEqual(["color:primary", "screen:promo", "text:a", "text:b"]);
  expect(sorted(select(promo, ["text:nobody", "in:nowhere"]))).toEqual([]);
});

test("a person's texts are named, and the change of which they are all", () => {
  const shared = texts("text:a", ["en", "de"]);
  const [en, de] = shared.slots;
  const changes = changesOf({
    "screen/home": [
      { ...shared, slots: [en, { ...de, by: "usr_2" }] as Change["slots"] },
      texts("text:b", ["de"], { by: "usr_2" }),
    ],
  });

  expect(sorted(select(changes, ["by:usr_2"]))).toEqual(["text:a/de", "text:b", "text:b/de"]);
  expect(sorted(select(changes, ["text:a/de", "text:a/en"]))).toContain("text:a");
});

test("the keys of a new screen stay in the draft with it", () => {
  const out = close(promo, ["screen:promo"]);

  expect(out.has("text:a")).toBe(true);
  expect(out.has("text:b")).toBe(false);
  expect(out.has("color:primary")).toBe(false);
});

test("the texts in a new language stay in the draft with it, and a key of which nothing is left", () => {
  const needs = ["language:fr"];
  const key = texts("text:a", ["en", "fr"]);
  const [en, fr] = key.slots;
  const changes = changesOf({
    project: [change("language:fr")],
    "screen/home": [
      { ...key, slots: [en, { ...fr, needs }] as Change["slots"] },
      { ...texts("text:b", []), slots: [{ ref: "text:b/fr", by: null, needs, tie: null }] },
    ],
  });

  const out = close(changes, ["language:fr"]);

  expect(sorted(out)).toEqual(["language:fr", "text:a/fr", "text:b", "text:b/fr"]);
  expect(stateOf(changes.get("screen/home")?.[0] as Change, out)).toBe("part");
  expect(stateOf(changes.get("screen/home")?.[1] as Change, out)).toBe("off");
});

test("both halves of a renamed key stay in the draft together", () => {
  const changes = changesOf({
    "screen/home": [
      texts("text:old", ["en"], { isRemoval: true, tie: "rename:key_1" }),
      texts("text:new", ["en"], { tie: "rename:key_1" }),
      texts("text:other", ["en"]),
    ],
  });

  expect(sorted(close(changes, ["text:new"]))).toEqual(["text:new", "text:old"]);
  expect(sorted(close(changes, ["text:old"]))).toEqual(["text:new", "text:old"]);
});

test("a text that a removed language cleared stays with the language, and the language with the text", () => {
  const tie = "language:fr";
  const cleared = { ...texts("text:a", ["en", "fr"]) };
  const [en, fr] = cleared.slots;
  const changes = changesOf({
    project: [change("language:fr", { isRemoval: true, tie })],
    "screen/home": [{ ...cleared, slots: [en, { ...fr, tie }] as Change["slots"] }],
  });

  expect(sorted(close(changes, ["language:fr"]))).toEqual(["language:fr", "text:a/fr"]);
  expect(sorted(close(changes, ["text:a"]))).toEqual(["language:fr", "text:a", "text:a/fr"]);
  expect(sorted(close(changes, ["text:a/en"]))).toEqual(["text:a/en"]);
});

test("a removal has no texts to leave out alone", () => {
  const changes = changesOf({ "screen/home": [texts("text:a", ["en", "de"], { isRemoval: true })] });

  expect(select(changes, ["text:a/de"]).has("text:a")).toBe(true);
});

test("what is left out pulls along through several steps", () => {
  const changes = changesOf({
    "store/sto_1": [
      change("store:sto_1", { tie: "store:sto_1" }),
      change("item:a", { tie: "store:sto_1" }),
      change("item:b", { needs: ["item:a"] }),
    ],
  });

  expect(sorted(close(changes, ["store:sto_1"]))).toEqual(["item:a", "item:b", "store:sto_1"]);
});

test("taking a key in takes its new screen in, and no other key of it", () => {
  const changes = changesOf({
    project: [change("screen:promo")],
    "screen/promo": ["text:a", "text:b"].map((ref) => texts(ref, ["en"], { needs: ["screen:promo"] })),
  });

  const out = takeIn(changes, close(changes, ["screen:promo"]), ["text:a"]);

  expect(sorted(out)).toEqual(["text:b", "text:b/en"]);
});

test("taking one text of a key in leaves the other text out", () => {
  const changes = changesOf({ "screen/home": [texts("text:a", ["en", "de"])] });

  expect(sorted(takeIn(changes, new Set(["text:a"]), ["text:a/en"]))).toEqual(["text:a/de"]);
});

test("taking half of a rename in takes the other half in", () => {
  const changes = changesOf({
    "screen/home": [
      texts("text:old", ["en"], { isRemoval: true, tie: "rename:key_1" }),
      texts("text:new", ["en", "de"], { tie: "rename:key_1" }),
    ],
  });

  expect(sorted(takeIn(changes, close(changes, ["text:old"]), ["text:old"]))).toEqual([]);
});

test("a place of which all is left out is sent by its name", () => {
  const out = new Set(["text:a", "text:b", "text:b/en"]);

  expect(shortened(promo, out, () => true)).toEqual(["in:screen/promo"]);
  expect(shortened(promo, out, () => false)).toEqual(["text:a", "text:b"]);
  expect(shortened(promo, new Set(["text:a/de"]), () => true)).toEqual(["text:a/de"]);
});
