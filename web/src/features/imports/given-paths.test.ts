import { expect, test } from "vitest";
import { takenOf } from "./given-paths";

const formats = [{ id: "json", label: "JSON", extensions: [".json"], hasManyLanguages: false }];

const inFolder = (path: string) =>
  Object.defineProperty(new File([""], path.split("/").at(-1) ?? ""), "webkitRelativePath", { value: path });

test("files of a format are taken from a folder with their paths, but for hidden folders and packages", () => {
  const { taken, left } = takenOf(
    ["app/locales/de.json", "app/index.ts", "app/.git/x.json", "app/node_modules/a/package.json"].map(inFolder),
    formats,
  );

  expect(taken.map(({ path }) => path)).toEqual(["app/locales/de.json"]);
  expect(left).toBe(3);
});

test("a file that is given by itself is taken whatever its name", () => {
  expect(takenOf([new File([""], "texts.dat")], formats).taken.map(({ path }) => path)).toEqual(["texts.dat"]);
});
