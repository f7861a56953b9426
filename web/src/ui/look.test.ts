import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classOf, NAMES } from "./look";
import { WORDS } from "./words";

const styles = readFileSync(join(import.meta.dirname, "parts.css"), "utf8");

test("each word has its classes in parts.css, and each class its word", () => {
  const stepped = new Set([...styles.matchAll(/@steps (\w+)/g)].map(([, word]) => word));
  const said = Object.entries(WORDS).flatMap(([word, values]) => values.map((value) => [word, classOf(word, value)]));
  const written = new Set([...styles.matchAll(/\.(l-[\w-]+)/g)].map(([, name]) => name));

  expect(said.length).toBeGreaterThan(100);
  expect(said.filter(([word, name]) => !stepped.has(word) && !written.has(name))).toEqual([]);
  const known = new Set(said.map(([, name]) => name));
  expect([...written].filter((name) => !known.has(name))).toEqual([]);
  expect([...stepped].filter((word) => !(word !== undefined && word in WORDS))).toEqual([]);
});

test("a part knows each word from the attributes of its element", () => {
  expect([...NAMES].toSorted()).toEqual(Object.keys(WORDS).toSorted());
});
