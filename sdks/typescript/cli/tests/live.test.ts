/** The commands against a real server: each test has a project of its own. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { App } from "./app.js";
import { LiveServer, type TestProject } from "./live-server.js";

let server: LiveServer;

beforeAll(async () => {
  server = await LiveServer.start();
});
afterAll(() => server?.stop());

const LOCALES = {
  "public/locales/en/translation.json": {
    hello: "Hello {{name}}",
    cart: { "items-left_one": "{{count}} item", "items-left_other": "{{count}} items", title: "Your cart" },
  },
  "public/locales/de/translation.json": { hello: "Hallo {{name}}", cart: { title: "Dein Korb" } },
  "public/locales/en/common.json": { save: "Save" },
};

/** An app with a project and its token, as after `init`. */
async function createApp(files: Readonly<Record<string, unknown>> = {}, scopes?: readonly string[]) {
  const project = await server.createProject(scopes);
  const config = {
    server: server.url,
    projectId: project.id,
    locales: "public/locales/{language}/{namespace}.json",
    sources: ["src/**/*.{ts,tsx}"],
  };
  const app = new App({ "livery.json": config, ...files });
  app.env["LIVERY_TOKEN"] = project.token;
  return { app, project };
}

test("a check of the snapshots finds an old file and writes nothing", async () => {
  const { app, project } = await createApp(LOCALES);
  await app.run("push");
  await app.run("publish", "--wait");
  await app.run("pull");
  const fresh = await app.run("pull", "--check");
  const before = app.read("livery/en.json");
  await project.call("PUT", "/api/translations/{id}/general/hello", { key: "hello", values: { en: "Welcome" } });
  await app.run("publish", "--wait");

  const stale = await app.run("pull", "--check");

  expect(fresh.status).toBe(0);
  expect(stale.status).toBe(1);
  expect(stale.out).toContain("Differs: livery/en.json\nDiffers: livery/de.json\n");
  expect(app.read("livery/en.json")).toBe(before);
});

async function textsOf(project: TestProject, screen: string): Promise<Record<string, Record<string, string>>> {
  const { keys } = await project.call<{ keys: { key: string; values: Record<string, string> }[] }>(
    "GET",
    `/api/translations/{id}/${screen}`,
  );
  return Object.fromEntries(keys.map((one) => [one.key, one.values]));
}

test("an i18next app is logged in, set up, imported, published, pulled and checked", async () => {
  const project = await server.createProject();
  const app = new App({
    ...LOCALES,
    "package.json": { dependencies: { "react-i18next": "16.0.0" } },
    "src/cart.tsx": `import { Trans, useTranslation } from "react-i18next";
export function Cart({ count, name }) {
  const { t } = useTranslation();
  return <p title={t("cart.title")}>{t("cart.items-left", { count })}{t("common:save")}<Trans i18nKey="hello" values={{ name }} /></p>;
}`,
  });

  app.input = `${project.token}\n`;
  const login = await app.run("login", "--server", server.url, "--token", "-");
  const init = await app.run("init", "--server", server.url, "--json");
  const pushed = await app.run("import", ...Object.keys(LOCALES));
  const early = await app.run("pull");
  const published = await app.run("publish", "--wait", "--json");
  const pulled = await app.run("pull", "--json");
  const types = await app.run("types", "--json");
  const checked = await app.run("check", "--json");

  expect([login.status, login.out.includes(project.token)]).toEqual([0, false]);
  expect(statSync(join(app.folder, ".config/livery/credentials.json")).mode & 0o777).toBe(0o600);
  expect(init.json).toMatchObject({ projectId: project.id, locales: "public/locales/{language}/{namespace}.json" });
  expect(init.json.key).toMatch(/^lvp_/);
  expect([pushed.status, pushed.out]).toEqual([0, expect.stringContaining("Imported 6 texts.")]);
  expect([early.status, early.err]).toEqual([2, expect.stringContaining("npx @livery/cli publish")]);
  expect(published.json).toEqual({ release: 1, published: true, total: expect.any(Number) });
  expect(pulled.json).toMatchObject({ release: 1, languages: ["en", "de"], unchanged: [] });
  expect(JSON.parse(app.read("livery/de.json")).texts.cart.title).toBe("Dein Korb");
  expect(app.read("livery/keys.d.ts")).toContain('"cart.items_left": { count: number };');
  expect(app.read("livery/i18next.d.ts")).toContain('"items-left": "{{count}}";');
  expect(types.json).toEqual({ written: [], unchanged: ["livery/keys.d.ts", "livery/i18next.d.ts"] });
  expect(checked.json).toEqual({ files: 1, keys: 4, computed: 0, findings: [] });
});

test("check finds unknown keys, missing parameters, unused keys and missing translations", async () => {
  const { app } = await createApp({
    ...LOCALES,
    "src/app.tsx": `import { useT } from "@livery/react";
const t = useT();
t("cart.titel");
t("hello");
t(\`cart.\${name}\`);`,
  });
  await app.run("push");

  const without = await app.run("check");
  const found = await app.run("check", "--draft", "--json");
  const ignored = await app.run("check", "--draft", "--ignore", "c*", "--skip", "missing-parameter");
  const odd = await app.run("check", "--skip", "nothing");

  expect([without.status, without.err]).toEqual([2, expect.stringContaining("npx @livery/cli pull")]);
  expect(found.status).toBe(1);
  expect(found.json.findings).toEqual([
    {
      kind: "unknown-key",
      key: "cart.titel",
      file: "src/app.tsx",
      line: 3,
      message: 'There is no text "cart.titel". Did you mean "cart.title"?',
    },
    {
      kind: "missing-parameter",
      key: "general.hello",
      file: "src/app.tsx",
      line: 4,
      message: '"general.hello" needs the parameter "name".',
    },
    { kind: "unused-key", key: "common.save", message: 'No code reads "common.save".' },
    expect.objectContaining({ kind: "missing-translation", key: "cart.items_left", language: "de" }),
    expect.objectContaining({ kind: "missing-translation", key: "common.save", language: "de" }),
  ]);
  expect(ignored.status).toBe(0);
  expect([odd.status, odd.err]).toEqual([2, expect.stringContaining("no kind of finding")]);
});

test("push never writes over a text of a person without --overwrite", async () => {
  const { app, project } = await createApp(LOCALES);
  await app.run("push");
  await project.call("PUT", "/api/translations/{id}/cart/title", { key: "title", values: { en: "By hand" } });
  app.write({
    "public/locales/en/translation.json": { hello: "Hi {{name}}", cart: { title: "Basket" }, "new-one": "New" },
  });

  const dry = await app.run("push", "--dry-run", "--strict");
  const kept = await textsOf(project, "general");
  const pushed = await app.run("push", "--json");
  const person = (await textsOf(project, "cart"))["title"]?.["en"];
  const overwritten = await app.run("push", "--overwrite", "--json");

  expect([dry.status, dry.out]).toEqual([1, expect.stringContaining('! cart.title [en] "By hand" → "Basket"')]);
  expect(dry.out).toContain('~ general.hello [en] "Hello {name}" → "Hi {name}"');
  expect(kept["hello"]).toEqual({ en: "Hello {name}", de: "Hallo {name}" });
  expect(pushed.json).toMatchObject({ texts: 2, counts: { new: 1, changed: 1, conflict: 1 } });
  expect(person).toBe("By hand");
  expect(overwritten.json).toMatchObject({ texts: 1 });
  expect((await textsOf(project, "cart"))["title"]?.["en"]).toBe("Basket");
  expect((await textsOf(project, "general"))["new_one"]).toEqual({ en: "New" });
});

test("a dry run leaves no import behind", async () => {
  const { app, project } = await createApp(LOCALES);

  await app.run("push", "--dry-run");
  await app.run("diff");

  expect(await project.call("GET", "/api/projects/{id}/imports")).toEqual({ imports: [] });
});

test("colours of a theme and items of a table are imported, and a second run writes nothing", async () => {
  const fields = [
    { name: "slug", type: "String" },
    { name: "price", type: "Number" },
  ];
  const { app, project } = await createApp();
  app.write({ "theme.css": ":root { --brand-dark: #0b5d5e; }", "trips.csv": "slug,price\noslo,90\n" });
  await project.call("POST", "/api/stores/{id}", { name: "Trips", apiIdentifier: "trips", fields });
  const table = ["import", "trips.csv", "--store", "trips", "--match", "slug", "--json"];

  const colors = await app.run("import", "theme.css");
  const items = await app.run(...table);
  const again = await app.run(...table);
  const wrong = await app.run("import", "trips.csv", "--store", "trops");

  expect(colors.out).toContain('+ brand-dark "#0b5d5e"');
  expect(colors.out).toContain("Imported 1 colour.");
  expect([items.status, items.json.items, items.json.counts.new]).toEqual([0, 1, 1]);
  expect([again.json.items, again.json.counts.same]).toEqual([0, 1]);
  expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('There is no Data Store "trops"')]);
});

test("files of other formats are imported into a screen, and an import is undone", async () => {
  const { app, project } = await createApp({ "messages.properties": "title=Shop\n", "app_de.arb": { title: "Laden" } });

  const imported = await app.run("import", "messages.properties", "--language", "en", "--screen", "shop", "--json");
  const german = await app.run("import", "app_de.arb", "--screen", "shop", "--json");
  const both = await textsOf(project, "shop");
  const undone = await app.run("import", "--undo", german.json.importId);
  const again = await app.run("import", "--undo", german.json.importId);

  expect([imported.status, imported.json.texts]).toEqual([0, 1]);
  expect(both).toEqual({ title: { en: "Shop", de: "Laden" } });
  expect(undone.status).toBe(0);
  expect(await textsOf(project, "shop")).toEqual({ title: { en: "Shop" } });
  expect([again.status, again.err]).toEqual([2, expect.stringContaining("409")]);
});

test("diff shows what differs on both sides, and nothing after a push", async () => {
  const { app, project } = await createApp(LOCALES);
  await app.run("push");
  const same = await app.run("diff");
  await project.call("POST", "/api/translations/{id}/cart", { key: "empty", values: { en: "Nothing here" } });
  app.write({ "public/locales/en/common.json": { save: "Store", cancel: "Cancel" } });

  const found = await app.run("diff");

  expect([same.status, same.out]).toEqual([0, "0 new, 0 changed, 0 conflicts, 0 invalid, 6 the same."]);
  expect(found.status).toBe(1);
  expect(found.out.split("\n")).toEqual([
    '~ common.save [en] "Save" → "Store"',
    '+ common.cancel [en] "Cancel"',
    '- cart.empty [en] "Nothing here"',
    "1 new, 1 changed, 0 conflicts, 0 invalid, 5 the same.",
    "1 only in the draft.",
  ]);
});

test("extract pushes default texts of keys that have no text", async () => {
  const { app, project } = await createApp({
    "src/app.tsx": `const t = useT(); t("home.title", "Home"); t("home.lead", {}, "Lead"); t("home.bare"); t("home.title", "Start");`,
  });
  await project.call("POST", "/api/projects/{id}/screens", { name: "home" });
  await project.call("POST", "/api/translations/{id}/home", { key: "lead", values: { en: "By hand" } });

  const written = await app.run("extract", "--output", "keys.json");
  const pushed = await app.run("extract", "--push", "--json");

  expect(written.out).toContain("home.title has several default texts");
  expect(JSON.parse(app.read("keys.json"))).toEqual({ "home.bare": "", "home.lead": "Lead", "home.title": "Home" });
  expect(pushed.json.push).toMatchObject({ texts: 1, counts: { new: 1, conflict: 1 } });
  expect(await textsOf(project, "home")).toEqual({ lead: { en: "By hand" }, title: { en: "Home" } });
});

test("a pull is the same twice, and reads the draft without a release", async () => {
  const { app, project } = await createApp(LOCALES);
  await app.run("push");
  await project.call("POST", "/api/colors/{id}", { key: "primary", value: "#102030" });
  const fields = [{ name: "title", type: "String", required: true, isTranslatable: true }];
  await project.call("POST", "/api/stores/{id}", { name: "Products", apiIdentifier: "products", fields });

  const first = await app.run("pull", "--draft", "--json");
  const before = statSync(join(app.folder, "livery/en.json")).mtimeMs;
  const second = await app.run("pull", "--draft", "--json");

  expect(first.json.written).toEqual(["livery/en.json", "livery/de.json", "livery/stores.json", "livery/keys.d.ts"]);
  expect(second.json).toMatchObject({ written: [], unchanged: first.json.written });
  expect(statSync(join(app.folder, "livery/en.json")).mtimeMs).toBe(before);
  expect(JSON.parse(app.read("livery/de.json")).texts.common.save).toBe("Save");
  expect(app.read("livery/keys.d.ts")).toContain("products: { title?: string };");
  expect(app.read("livery/keys.d.ts")).toContain(`colors:\n      | "primary";`);
});

test("the draft as a snapshot has what the release has after a publish", async () => {
  const { app } = await createApp(LOCALES);
  await app.run("push");
  const pulled = await app.run("pull", "--draft");
  const draft = JSON.parse(app.read("livery/de.json"));
  const types = app.read("livery/keys.d.ts");
  app.write({ "src/a.ts": "" });
  const checked = await app.run("check");
  const hint = 'The snapshots are of the draft. Before you ship the app, publish and run "pull" again.';
  expect([pulled.out, checked.out]).toEqual([expect.stringContaining(hint), expect.stringContaining(hint)]);

  await app.run("publish");
  const released = await app.run("pull");
  expect([released.out, (await app.run("check")).out].join()).not.toContain("of the draft");

  const { version, release, ...rest } = JSON.parse(app.read("livery/de.json"));
  expect([typeof version, release]).toEqual(["string", 1]);
  expect(rest).toEqual(draft);
  expect(app.read("livery/keys.d.ts")).toBe(types);
});

test("publish without changes makes no release, and a dry run publishes nothing", async () => {
  const { app } = await createApp(LOCALES);
  await app.run("push");

  const dry = await app.run("publish", "--dry-run", "--json");
  const first = await app.run("publish", "--wait", "--json");
  const second = await app.run("publish", "--wait", "--json");

  expect(dry.json).toMatchObject({ published: false, release: 0 });
  expect(first.json).toMatchObject({ published: true, release: 1 });
  expect(second.json).toEqual({ published: false, release: 1, total: 0 });
});

test("a token without the scope is refused with what it lacks", async () => {
  const { app } = await createApp(LOCALES, ["read"]);

  const pushed = await app.run("push");
  const published = await app.run("publish", "--json");

  expect([pushed.status, pushed.err]).toEqual([2, expect.stringContaining("`write`")]);
  expect([published.status, published.json.error]).toEqual([2, expect.stringContaining("`publish`")]);
});

test("a token that ended is refused, kept nowhere and never printed", async () => {
  const app = new App();
  app.input = "lvt_thisTokenEndedLongAgo0000";

  const login = await app.run("login", "--server", server.url, "--token", "-");

  expect([login.status, login.err]).toEqual([2, expect.stringContaining("LIVERY_TOKEN")]);
  expect(login.err + login.out).not.toContain(app.input);
  expect(app.has(".config/livery/credentials.json")).toBe(false);
});

test("logout forgets the token", async () => {
  const { app, project } = await createApp();
  delete app.env["LIVERY_TOKEN"];
  app.isInteractive = true;
  app.answers = [project.token];

  const login = await app.run("login");
  const logout = await app.run("logout", "--json");
  const refused = await app.run("pull", "--draft");

  expect(login.status).toBe(0);
  expect(logout.json).toEqual({ server: server.url, forgotten: 1 });
  expect([refused.status, refused.err]).toEqual([2, expect.stringContaining("npx @livery/cli login")]);
});

test("the publishable key pulls the release without a token, and keeps the fields of stores", async () => {
  const { app, project } = await createApp(LOCALES);
  await app.run("push");
  await app.run("publish", "--wait");
  const { publishableKey } = await project.call<{ publishableKey: string }>("GET", "/api/projects/{id}");
  app.write({ "livery/stores.json": { products: [] } });
  app.write({ "livery.json": { ...JSON.parse(app.read("livery.json")), key: publishableKey } });
  delete app.env["LIVERY_TOKEN"];

  const pulled = await app.run("pull", "--json");
  const draft = await app.run("pull", "--draft");

  expect(pulled.json.written).toEqual(["livery/en.json", "livery/de.json", "livery/keys.d.ts"]);
  expect(app.read("livery/stores.json")).toBe('{"products":[]}');
  expect(app.read("livery/en.json")).not.toContain(publishableKey);
  expect(draft.status).toBe(2);
});

test("texts and colours are exported in formats of other tools", async () => {
  const { app, project } = await createApp(LOCALES);
  await app.run("push");
  await project.call("POST", "/api/colors/{id}", { key: "primary", value: "#0b5d5e" });

  const english = await app.run("export", "--format", "i18next", "--language", "en");
  const archive = await app.run("export", "--format", "i18next", "--output", "out/texts.zip");
  const other = await app.run("export", "--format", "i18next", "--output", "out/texts.json");
  const css = await app.run("export", "--colors", "--json");
  const early = await app.run("export", "--release");
  const unknown = await app.run("export", "--format", "word");
  const both = await app.run("export", "--colors", "--store", "trips");

  expect([english, archive, css].map((one) => one.status)).toEqual([0, 0, 0]);
  expect(app.read("translation.json")).toContain("Hello {{name}}");
  expect(app.read("out/texts.zip").slice(0, 2)).toBe("PK");
  expect(other.out).toBe("out/texts.json.zip is written.");
  expect(JSON.parse(css.out)).toMatchObject({ file: "colors.css" });
  expect(app.read("colors.css")).toContain("--livery-primary: #0b5d5e;");
  expect([early, unknown, both].map((one) => one.status)).toEqual([2, 2, 2]);
  expect(early.err).toContain("Export the draft");
});

test("texts in a language that the project lacks are one line, and exit with 1", async () => {
  const { app } = await createApp({ "fr.json": { a: "Un", b: "Deux" } });

  const imported = await app.run("import", "fr.json");

  expect(imported.status).toBe(1);
  expect(imported.out.match(/fr/g)).toHaveLength(1);
  expect(imported.out).toContain("Languages that the project lacks: fr.");
});
