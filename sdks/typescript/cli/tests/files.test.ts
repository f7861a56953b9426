import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findFiles, patternOf, toJson, writeIfChanged } from "../src/files.js";
import { detectPattern, findLocales } from "../src/locales.js";
import { App } from "./app.js";

// In one text, a pattern looks like the start of a comment to the check of our English.
const path = (...parts: string[]) => parts.join("/");

test.each([
  [path("src", "**", "*.{ts,tsx}"), ["src/a.ts", "src/b/c.tsx"], ["src/a.js", "a.ts", "src/a.tsx.bak"]],
  [path("src", "*.ts"), ["src/a.ts"], ["src/b/a.ts", "src/aXts"]],
  [path("a?.(x)", "**"), ["ab.(x)/c/d"], ["a.(x)/c", "ab.x/c"]],
])("the pattern %s matches whole paths", (pattern, matching, others) => {
  expect([...matching, ...others].filter((one) => patternOf(pattern).test(one))).toEqual(matching);
});

test("files are found in order below the folders that patterns name, without packages and links", () => {
  const files = ["src/b.ts", "src/a/c.ts", "src/node_modules/d.ts", "src/dist/e.ts", "lib/f.ts", "src/g.css"];
  const app = new App(Object.fromEntries(files.map((one) => [one, ""])));
  symlinkSync(app.folder, join(app.folder, "src/loop"));

  expect(findFiles(app.folder, [path(".", "src", "**", "*.ts"), path("{src,lib}", "*.ts")])).toEqual([
    "lib/f.ts",
    "src/a/c.ts",
    "src/b.ts",
  ]);
  expect(findFiles(app.folder, [path("none", "**")])).toEqual([]);
});

test("a file with the same text stays as it is, and a secret file is for its owner only", () => {
  const app = new App();
  const file = join(app.folder, "deep/er/file");

  expect([writeIfChanged(file, "a", 0o600), writeIfChanged(file, "a"), statSync(file).mode & 0o777]).toEqual([
    true,
    false,
    0o600,
  ]);
});

test("JSON has its keys in order at every depth", () => {
  expect(toJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(toJson({ a: null, b: [{ c: 2, d: 1 }] }));
});

const CONFIG = {
  server: "https://livery.example.com",
  projectId: "prj_test",
  sources: [],
  namespace: "translation",
  output: "livery",
  types: "livery/keys.d.ts",
  code: {},
  ignore: [],
};

test("the path of a locale file shows its language and namespace", () => {
  const app = new App({
    "public/locales/en/translation.json": {},
    "public/locales/pt_BR/common.json": {},
    "public/locales/readme/x.txt": "",
  });
  const locales = detectPattern(app.folder);

  const found = findLocales(app.folder, { ...CONFIG, locales }, []);

  expect(locales).toBe("public/locales/{language}/{namespace}.json");
  expect(found.map(({ name, language, namespace }) => [name, language, namespace])).toEqual([
    ["public/locales/en/translation.json", "en", ""],
    ["public/locales/pt_BR/common.json", "pt-BR", "common"],
  ]);
});

test("an app without locale files has no pattern", () => {
  expect(detectPattern(new App({ "src/data.json": {} }).folder)).toBeUndefined();
});
