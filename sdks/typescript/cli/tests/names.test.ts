import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mapName } from "../src/names.js";

interface Case {
  readonly name: string;
  readonly namespace?: string;
  readonly screen?: string;
  readonly gives: { screen: string; key: string } | null;
}

const cases = JSON.parse(readFileSync(new URL("../../../spec/names.json", import.meta.url), "utf8")) as Case[];

test("there are cases of names", () => expect(cases.length).toBeGreaterThan(20));

test.each(cases)("the name $name has the place of the shared case", ({ name, namespace, screen, gives }) => {
  expect(mapName(name, { namespace, screen }) ?? null).toEqual(gives);
});
