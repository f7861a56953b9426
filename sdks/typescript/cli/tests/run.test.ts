/** The commands without a server: arguments, configuration, help and files. */

import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { parametersOf } from "../src/messages.js";
import { App } from "./app.js";

const CONFIG = { server: "http://127.0.0.1:1", projectId: "prj_test" };
const SNAPSHOT = {
  projectId: "prj_test",
  language: "en",
  languages: ["en", "de"],
  texts: { general: { title: "Hi" }, home: { old: "Old", errors_404: "Gone" } },
  colors: {},
  images: {},
  stores: {},
};

test("the overview lists the commands, and each command has a help", async () => {
  const app = new App();

  const overview = await app.run("--help");
  const names = [...overview.out.matchAll(/^ {2}([a-z]+) {2}/gm)].map((one) => one[1] as string);
  const helps = await Promise.all(names.map((one) => app.run(one, "--help")));

  expect([overview.status, names.length]).toEqual([0, 12]);
  for (const [at, { status, out }] of helps.entries())
    expect([status, out]).toEqual([0, expect.stringContaining(`Usage: livery-cli ${names[at]}`)]);
  expect(helps.every((one) => one.out.includes("Exit status:"))).toBe(true);
});

test("misuse ends with 2 and names what to do", async () => {
  const app = new App();

  const runs = [
    await app.run(),
    await app.run("pul"),
    await app.run("pull"),
    await app.run("pull", "--drafts"),
    await app.run("types", "extra"),
    await app.run("login", "--token", "lvt_secret", "--server", "http://127.0.0.1:1"),
    await app.run("login", "--server", "ftp://a"),
    await app.run("login", "--server", "https://a/?token=b"),
    await app.run("init"),
  ];

  expect(runs.map((one) => one.status)).toEqual(runs.map(() => 2));
  expect(runs[1]?.err).toContain("--help");
  expect(runs[2]?.err).toContain("npx @livery/cli init");
  expect(runs[3]?.err).toContain("livery-cli pull --help");
  expect(runs[5]?.err).toContain("--token -");
  expect(runs[5]?.err).not.toContain("lvt_secret");
  expect(runs[8]?.err).toContain("--server");
});

test("a text that is no token is refused without being shown", async () => {
  const app = new App({ "livery.json": CONFIG });
  app.env["LIVERY_TOKEN"] = "my password";

  const { status, err } = await app.run("push", "livery.json");

  expect([status, err]).toEqual([2, expect.stringContaining("lvt_")]);
  expect(err).not.toContain("my password");
});

test("an unreachable server ends with 2, also as JSON", async () => {
  const app = new App({ "livery.json": { ...CONFIG, key: "lvp_test" } });

  const { status, json } = await app.run("pull", "--json");

  expect([status, json.error]).toEqual([2, expect.stringContaining("http://127.0.0.1:1 can't be reached")]);
});

test("livery.json is checked", async () => {
  const faults = [
    "{",
    { ...CONFIG, sorces: [] },
    { ...CONFIG, sources: "src" },
    { ...CONFIG, key: 1 },
    { server: "x" },
  ];

  for (const fault of faults) {
    const { status, err } = await new App({ "livery.json": fault }).run("types");
    expect([status, err]).toEqual([2, expect.stringContaining("livery.json")]);
  }
});

test("init takes the answers of a person, and does not write over a file", async () => {
  const app = new App({ "locales/en.json": {}, "locales/de.json": {} });
  app.isInteractive = true;
  app.answers = ["https://livery.example.com/", "prj_mine", "", ""];

  const first = await app.run("init");
  const again = await app.run("init");

  expect(first.status).toBe(0);
  expect(JSON.parse(app.read("livery.json"))).toEqual({
    server: "https://livery.example.com",
    projectId: "prj_mine",
    sources: ["src/**/*.{ts,tsx,js,jsx,mts,cts,mjs,cjs,vue,svelte}"],
    locales: "locales/{language}.json",
    output: "livery",
  });
  expect([again.status, again.err]).toEqual([2, expect.stringContaining("--force")]);
});

test("init asks nothing with --yes", async () => {
  const app = new App();
  app.isInteractive = true;
  app.answers = ["https://other.example.com"];

  const { json } = await app.run("init", "--server", "https://a.example.com", "--project", "prj_a", "--yes", "--json");

  expect(json).toMatchObject({ server: "https://a.example.com", projectId: "prj_a", output: "livery" });
  expect(app.answers).toHaveLength(1);
});

test("the keys of other languages show the texts of the default language, from snapshots, too", async () => {
  const de = { ...SNAPSHOT, language: "de", languages: ["en", "de"], texts: { home: { title: "Titel" } } };
  const en = { ...de, language: "en", texts: { home: { title: "Title" } } };
  const config = { ...CONFIG, code: { python: "keys.py" } };
  const app = new App({ "livery.json": config, "livery/de.json": de, "livery/en.json": en });

  await app.run("types");

  expect(app.read("keys.py")).toContain('"""Title"""');
});

test("types are written from the snapshots alone", async () => {
  const app = new App({ "livery.json": CONFIG, "livery/en.json": SNAPSHOT });

  const first = await app.run("types", "--json");
  const second = await app.run("types", "--json");

  expect(first.json).toEqual({ written: ["livery/keys.d.ts"], unchanged: [] });
  expect(second.json).toEqual({ written: [], unchanged: ["livery/keys.d.ts"] });
});

test("check finds the language without a snapshot and the key that no code reads", async () => {
  const app = new App({
    "livery.json": { ...CONFIG, ignore: ["legacy.*"] },
    "livery/en.json": SNAPSHOT,
    "src/a.ts": `const t = useT(); t("title"); t("home.errors_" + code); t("legacy.key");`,
    "src/node_modules/b.ts": `const t = useT(); t("no.key");`,
  });

  const { status, json, out } = await app.run("check", "--json");

  expect([status, out.includes("no.key")]).toEqual([1, false]);
  expect(json).toEqual({
    files: 1,
    keys: 3,
    computed: 1,
    findings: [
      { kind: "unused-key", key: "home.old", message: 'No code reads "home.old".' },
      expect.objectContaining({ kind: "missing-language", language: "de" }),
    ],
  });
});

test("the parameters of a text are those of its arguments, plurals and selects", () => {
  const found = parametersOf([
    "{a} {{b}}",
    "{n, plural, one {# {c}} other {#}} {g, select, f {x} other {y}}",
    "{x, plural, one {}}",
    "{c, date, short} {p, number} {p}",
  ]);

  expect([...found].map(([name, one]) => [name, one.use, [...one.selectors]])).toEqual([
    ["a", "any", []],
    ["b", "any", []],
    ["n", "count", []],
    ["c", "moment", []],
    ["g", "any", ["f"]],
    ["p", "number", []],
  ]);
});

test("a fault of the system is reported with 2, not as a finding", async () => {
  const app = new App({ "livery.json": { ...CONFIG, output: "livery.json" } });

  const { status } = await app.run("types");

  expect(status).toBe(2);
});

test("the version is that of the package", async () => {
  const ran = await new App().run("--version");

  expect([ran.status, ran.out]).toEqual([0, manifest.version]);
});
