/** The keys in other languages: what Python's type checker accepts, and the lines of the languages that have no compiler here. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Content, Stores } from "../src/content.js";
import { writeKeys } from "../src/languages/all.js";
import { LANGUAGE_NAMES } from "../src/languages/names.js";
import { App } from "./app.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const content = (language: string, texts: Content["texts"]): Content => ({
  projectId: "prj_test",
  language,
  languages: ["en", "de"],
  texts,
  colors: { primary: "#102030", "brand.dark-1": "#000000", brand_dark_1: "#111111" },
  images: { logo: {} },
  stores: { products: "" },
});
const CONTENTS = [
  content("en", {
    home: {
      greeting: "Hello {name}",
      items_left: "{count, plural, one {# item} other {# items}} of {class} {0} {user.name}",
      "2x": "two",
      paid: "{price, number, ::currency/EUR} on {day, date}",
    },
    // Names that mean something in a language, and a text that would end a comment or a string.
    class: { def: 'a "quoted" */ \\ """ $x \u202e\n next', __init__: "x", to_string: "y", _reader: "z" },
    String: { a: "" },
  }),
  content("de", { home: { greeting: "Hallo {name} aus {city}" } }),
];
const STORES: Stores = {
  products: [
    { name: "title", type: "String" },
    { name: "on sale", type: "Boolean" },
  ],
};

const LINES = `
import datetime
from livery_client import AsyncLivery, Livery
from keys import Keys, ProductsItem

class Fake:
    def t(self, key: str, params: object = None) -> str:
        return f"{key} {params}"

    def color(self, key: str) -> str | None:
        return key

def check(livery: Livery, other: AsyncLivery, item: ProductsItem) -> None:
    Keys(livery).home.greeting(name="Ada", city="Ulm")
    Keys(other).home.items_left(count=2, class_="x", n0=1, user_name="y")
    Keys(livery).home.paid(price=2.5, day=datetime.date(2026, 11, 28))
    Keys(livery).home.paid(price=2.5, day=None)  # error
    print(item["_id"].upper(), item.get("title", "").upper())
    Keys(livery).home.greeting(name="Ada")  # error
    Keys(livery).home.greting(name="Ada", city="Ulm")  # error
    Keys(livery).home.items_left(count="2", class_="x", n0=1, user_name="y")  # error
    Keys(livery).color("secondary")  # error

keys = Keys(Fake())
print(keys.home.items_left(count=2, class_="x", n0=1, user_name="y"))
print(keys.class_.def_(), keys.class_.n__init__(), keys.class_._reader_(), keys.String.a(), keys.home.n2x())
print(keys.color("brand.dark-1"))
`;

test("a wrong key or a forgotten parameter is an error of types in Python, and right calls run", () => {
  const folder = mkdtempSync(join(tmpdir(), "livery-cli-python-"));
  try {
    writeFileSync(join(folder, "keys.py"), writeKeys("python", "keys.py", CONTENTS, STORES));
    writeFileSync(join(folder, "app.py"), LINES);
    const settings = { extraPaths: [join(root, "sdks/python")], typeCheckingMode: "strict", reportPrivateUsage: false };
    writeFileSync(join(folder, "pyrightconfig.json"), JSON.stringify(settings));
    const python = join(root, ".venv/bin/python");
    const checked = spawnSync(join(root, ".venv/bin/pyright"), ["-p", folder, "--pythonpath", python], {
      encoding: "utf8",
    });
    const lines = LINES.split("\n");
    const wrong = [...checked.stdout.matchAll(/([a-z]+\.py):(\d+):\d+ - error: (.*)/g)];

    const found = new Set(wrong.map(([, file, line]) => `${file}: ${lines[Number(line) - 1]?.trim()}`));
    const wanted = lines.filter((line) => line.endsWith("# error")).map((line) => `app.py: ${line.trim()}`);

    expect([...found]).toEqual(wanted);

    const ran = spawnSync(python, ["app.py"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: join(root, "sdks/python") },
    });

    expect(ran.stderr).toBe("");
    expect(ran.stdout.trim().split("\n")).toEqual([
      "home.items_left {'0': 1, 'class': 'x', 'count': 2, 'user.name': 'y'}",
      "class.def None class.__init__ None class._reader None String.a None home.2x None",
      "brand.dark-1",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [
    "kotlin",
    [
      "package com.example",
      'fun itemsLeft(n0: Any, class_: Any, count: Number, userName: Any): String = reader.t("home.items_left", mapOf("0" to n0, "class" to class_, "count" to count, "user.name" to userName))',
      'fun toString_(): String = reader.t("class.to_string", emptyMap())',
      '/** a "quoted" *\u200b/ \\ """ $x next */',
      'val brandDark12: String? get() = reader.color("brand_dark_1")',
      "val string = StringTexts(reader)",
    ],
  ],
  [
    "swift",
    [
      'public func itemsLeft(n0: Any, class_: Any, count: Int, userName: Any) -> String { reader.t("home.items_left", ["0": n0, "class": class_, "count": count, "user.name": userName]) }',
      'public func n2x() -> String { reader.t("home.2x", [:]) }',
      'public var logo: String? { reader.image("logo") }',
      "public let string: StringTexts",
    ],
  ],
  [
    "dart",
    [
      'String itemsLeft({required Object n0, required Object class_, required num count, required Object userName}) => _reader.t("home.items_left", {"0": n0, "class": class_, "count": count, "user.name": userName});',
      'String n2x() => _reader.t("home.2x", {});',
      'String? get logo => _reader.image("logo");',
      "final StringTexts string;",
    ],
  ],
] as const)("%s has a function for each text, with its parameters", (name, wanted) => {
  const lines = writeKeys(name, "app/src/main/java/com/example/LiveryKeys.kt", CONTENTS, STORES)
    .split("\n")
    .map((line) => line.trim());

  expect(wanted.filter((line) => !lines.includes(line))).toEqual([]);
});

test("the file is the same in whatever order the content has its keys", () => {
  const turned = CONTENTS.map((one) => ({
    ...one,
    texts: Object.fromEntries(Object.entries(one.texts).reverse()),
    colors: Object.fromEntries(Object.entries(one.colors).reverse()),
  }));

  for (const name of LANGUAGE_NAMES)
    expect(writeKeys(name, "a", turned, STORES)).toBe(writeKeys(name, "a", CONTENTS, STORES));
});

test("pull's types are written in the languages of livery.json, and a wrong setting is refused with a sentence", async () => {
  const config = { server: "https://livery.example.com", projectId: "prj_test" };
  const app = new App({
    "livery.json": { ...config, code: { python: "app/keys.py", dart: "lib/keys.dart" } },
    "livery/en.json": CONTENTS[0],
  });

  const types = await app.run("types");
  app.write({ "livery.json": { ...config, code: { cobol: "keys.cob" } } });
  const wrong = await app.run("types");
  app.write({ "livery.json": { ...config, code: "python" } });
  const noObject = await app.run("types");

  expect(types.out).toContain("Wrote app/keys.py");
  expect(app.read("lib/keys.dart")).toContain("class LiveryKeys");
  expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining("python, kotlin, swift, dart")]);
  expect([noObject.status, noObject.err]).toEqual([2, expect.stringContaining("the path of a file")]);
});
