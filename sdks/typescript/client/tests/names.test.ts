/** Holds the mapping of names to sdks/spec/names.json. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mapName } from "../src/names.js";

interface Case {
  name: string;
  namespace?: string;
  screen?: string;
  gives: { screen: string; key: string } | null;
}
const cases = JSON.parse(readFileSync(new URL("../../../spec/names.json", import.meta.url), "utf8")) as Case[];

test.each(cases)("the place of '$name'", ({ name, namespace, screen, gives }) => {
  const place = mapName(name, namespace, screen);

  expect(place ?? null).toEqual(gives);
  if (place && screen === undefined) expect(mapName(`${place.screen}.${place.key}`)).toEqual(place);
});

test("every reserved screen and every name of an object is mapped to a different name", () => {
  const spec = readFileSync(new URL("../../../spec/names.md", import.meta.url), "utf8");
  const lists = spec.slice(spec.indexOf("The reserved screens:")).split("The names of every object:");
  const [reserved = [], ofObjects = []] = lists.map((list) => [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name));

  expect([reserved.length, ofObjects.length]).toEqual([25, 12]);
  for (const name of reserved) expect(mapName(`${name}.title`)?.screen).toBe(`${name}_`);
  for (const name of ofObjects) expect(mapName(`home.${name}`)?.key).toBe(`${name}_`);
});
