/** The types of keys: what compiles with them, and what doesn't. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { writeTypes } from "../src/codegen.js";
import type { Content, Stores } from "../src/content.js";

const client = fileURLToPath(new URL("../../client/", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

const content = (language: string, texts: Content["texts"]): Content => ({
  projectId: "prj_test",
  language,
  languages: ["en", "de"],
  texts,
  colors: { primary: "#102030" },
  images: { logo: {} },
  stores: { products: "" },
});

const EN = content("en", {
  general: { title: "Welcome" },
  home: {
    title: "Home",
    greeting: "Hello {name}",
    trips: "{count, plural, one {# trip} other {# trips}} of {name}",
    owner: "{gender, select, female {her} male {his} other {their}} trip",
    broken: "{count, plural, one {# trip}}",
  },
});
const DE = content("de", { home: { greeting: "Hallo {name} aus {city}" } });
const STORES: Stores = {
  products: [
    { name: "title", type: "String" },
    { name: "price", type: "Number" },
  ],
};

/** Returns what the compiler prints about these lines, each in a file of its own, by line. */
function compile(types: string, lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "livery-cli-types-"));
  try {
    writeFileSync(join(folder, "keys.d.ts"), types);
    for (const [number, line] of lines.entries()) {
      const head = `import { createLivery } from "@livery/client";
        const livery = createLivery({ projectId: "p", key: "k", baseUrl: "" });`;
      writeFileSync(join(folder, `line${number}.mts`), `${head}\n${line}\nexport {};`);
    }
    const paths = { "@livery/client": [join(client, "src/index.ts")] };
    const config = {
      extends: join(client, "tsconfig.json"),
      compilerOptions: { types: [], paths },
      include: ["*.*ts"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
    const rest = stdout.split("\n").filter((one) => one.includes(": error TS") && !/line\d+\.mts/.test(one));
    expect(rest).toEqual([]);
    return lines.map((_, number) =>
      stdout
        .split("\n")
        .filter((one) => one.includes(`line${number}.mts`))
        .join("\n"),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("known keys with their parameters compile", () => {
  const lines = [
    `livery.t("home.title");`,
    `livery.t("title");`,
    `livery.t("general.title", "Default");`,
    `livery.t("home.greeting", { name: "Ada", city: "Bonn" });`,
    `livery.t("home.greeting", { name: "Ada", city: 3, later: "x" }, "Default");`,
    `livery.t("home.trips", { count: 2, name: "Ada" });`,
    `livery.t("home.owner", { gender: "female" }); livery.t("home.owner", { gender: "unknown" as string });`,
    `livery.t("home.broken");`,
    `livery.color("primary"); livery.image("logo");`,
    `const [first] = (await livery.store("products").items()); first?.price?.toFixed(2); first?.title?.trim();`,
  ];

  expect(compile(writeTypes([EN, DE], STORES), lines)).toEqual(lines.map(() => ""));
});

test("wrong keys and forgotten parameters do not compile", () => {
  const lines = [
    `livery.t("home.tittle");`,
    `livery.t("greeting");`,
    `livery.t("home.greeting");`,
    `livery.t("home.greeting", "Default");`,
    `livery.t("home.greeting", { name: "Ada" });`,
    `livery.t("home.greeting", { name: "Ada", city: undefined });`,
    `livery.t("home.trips", { name: "Ada", count: "2" });`,
    `livery.color("primry");`,
    `livery.image("lgo");`,
    `livery.store("produkts");`,
    `(await livery.store("products").items())[0]?.prize;`,
  ];

  const found = compile(writeTypes([EN, DE], STORES), lines);

  expect(lines.filter((_, number) => found[number] === "")).toEqual([]);
});

test("a project without colours, images and stores has no such names", () => {
  const bare = { ...content("en", { general: { title: "Hi" } }), colors: {}, images: {}, stores: {} };

  const [text, color] = compile(writeTypes([bare], {}), [`livery.t("title");`, `livery.color("primary");`]);

  expect(text).toBe("");
  expect(color).not.toBe("");
});

test("the order of content does not change the types", () => {
  const turned = content("en", Object.fromEntries(Object.entries(EN.texts).reverse()));

  expect(writeTypes([DE, turned], STORES)).toBe(writeTypes([EN, DE], STORES));
});

test("names that are no identifiers are quoted", () => {
  const odd = content("en", { general: { hello: "{first-name} {größe}" } });

  expect(writeTypes([odd], {})).toContain('"hello": { "first-name": TextParam; "größe": TextParam };');
});
