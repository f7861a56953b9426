import { expect, test } from "vitest";
import { takenOf } from "./given-paths";
import type { Format } from "./queries";

const formats: Format[] = [
  { id: "json", kind: "texts", label: "JSON", extensions: [".json"], hasManyLanguages: false },
  { id: "css", kind: "colors", label: "CSS", extensions: [".css"], hasManyLanguages: true },
];

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

test("of the style sheets in a folder, those of a theme are taken", () => {
  const { taken } = takenOf(
    ["app/src/theme.css", "app/src/index.css", "app/src/cart/list.module.css", "app/colors.css"].map(inFolder),
    formats,
  );

  expect(taken.map(({ path }) => path)).toEqual(["app/src/theme.css", "app/src/index.css", "app/colors.css"]);
});
