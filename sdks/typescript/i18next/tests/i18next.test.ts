/** A real i18next over a real server: names, languages, plurals, fallbacks, and what i18next itself does with Livery's texts. */

import { createServer } from "node:net";
import { createLivery } from "@livery/client";
import { createInstance, type InitOptions, type i18n } from "i18next";
import { afterEach, expect, test, vi } from "vitest";
import { type LiveryI18next, type LiveryI18nextOptions, livery } from "../src/index.js";
import { access, LiveryServer, type Texts } from "./livery-server.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(texts: Record<string, Texts>): Promise<LiveryServer> {
  const server = await new LiveryServer(texts).start();
  ends.push(() => server.stop());
  return server;
}

interface App {
  server: LiveryServer;
  i18n: i18n;
  plugin: LiveryI18next;
}

/** The tests of look-ups need no types of keys. */
type T = (key: string | string[], options?: object | string) => string;
const translate = (app: App): T => app.i18n.t as unknown as T;

async function start(
  server: LiveryServer,
  init: InitOptions = {},
  options: Partial<LiveryI18nextOptions> = {},
): Promise<App> {
  const plugin = livery({ ...access, baseUrl: server.baseUrl, ...options });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const failed = vi.fn();
  i18n.on("failedLoading", failed);
  await i18n.use(plugin).init({ lng: "en", fallbackLng: "en", ...init });
  expect(failed).not.toHaveBeenCalled();
  return { server, i18n, plugin };
}

/** An app in English with these texts of Livery. */
const inEnglish = async (texts: Texts, init?: InitOptions, options?: Partial<LiveryI18nextOptions>) =>
  start(await serve({ en: texts }), init, options);

/** Resolves once a release would arrive by the stream. */
const live = ({ plugin }: App) => vi.waitFor(() => expect(plugin.client?.state).toBe("live"));

async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

// --- names -------------------------------------------------------------------------------------------------------------

test("the names of the app's two files lead to Livery's texts", async () => {
  const texts = {
    cart: { items_left: "Two left" },
    general: { title: "Shop" },
    common: { actions_save_all: "Save all" },
  };
  const t = translate(await inEnglish(texts, { ns: ["translation", "common"] }));

  expect(t("cart.items-left")).toBe("Two left");
  expect(t("title")).toBe("Shop");
  expect(t("common:actions.save-all")).toBe("Save all");
  expect(t("actions.save-all", { ns: "common" })).toBe("Save all");
  expect(t(["cart.gone", "title"])).toBe("Shop");
});

test("the app's own default namespace is left out of names", async () => {
  const t = translate(await inEnglish({ home: { title: "Home" } }, { ns: ["app", "common"], defaultNS: "app" }));

  expect(t("home.title")).toBe("Home");
  expect(t("app:home.title")).toBe("Home");
  expect(t("common:home.title")).toBe("home.title");
});

test("a namespace that is looked at when others lack a text is asked", async () => {
  const t = translate(
    await inEnglish({ common: { save: "Save" } }, { ns: ["translation", "common"], fallbackNS: "common" }),
  );

  expect(t("save")).toBe("Save");
});

test("names with separators of the app's own, or without separators, lead to texts", async () => {
  const server = await serve({
    en: { cart: { items_left: "Two left" }, general: { Welcome_back_: "Hi", common_save: "Save" } },
  });
  const custom = await start(server, { keySeparator: "/", nsSeparator: "|" });
  const without = await start(server, { keySeparator: false, nsSeparator: false });

  expect(translate(custom)("cart/items-left")).toBe("Two left");
  expect(translate(without)("Welcome back!")).toBe("Hi");
  expect(translate(without)("cart.items-left")).toBe("Two left");
  expect(translate(without)("common:save")).toBe("Save");
});

test("with the option screen, all texts are on that screen", async () => {
  const t = translate(
    await inEnglish({ app: { cart_items_left: "Two left", common_save: "Save" } }, {}, { screen: "app" }),
  );

  expect(t("cart.items-left")).toBe("Two left");
  expect(t("common:save")).toBe("Save");
});

test("a prefix of keys goes before the name", async () => {
  const { i18n } = await inEnglish({ cart: { hero_title: "Your cart" } });
  const t = i18n.getFixedT(null, null, "cart.hero") as unknown as T;

  expect(t("title")).toBe("Your cart");
});

test("exists() knows Livery's texts", async () => {
  const { i18n } = await inEnglish({ cart: { title: "Cart" } });

  expect([i18n.exists("cart.title"), i18n.exists("cart.subtitle"), i18n.exists("")]).toEqual([true, false, false]);
});

test("returnObjects gives the texts below a name, and a list where names are numbers", async () => {
  const home = { hero_title: "Hi {name}", hero_text: "There", steps_0: "Look", steps_1: "Buy", steps_2: "Go" };
  const { i18n } = await inEnglish({ home, faq: { _0: "Why", _1: "How" }, gaps: { _1: "One" } });
  const t = i18n.t as unknown as (key: string, options: object) => unknown;

  expect(t("home.hero", { returnObjects: true, name: "Ada" })).toEqual({ title: "Hi Ada", text: "There" });
  expect(t("home.steps", { returnObjects: true })).toEqual(["Look", "Buy", "Go"]);
  expect(t("home.steps", { joinArrays: "+" })).toBe("Look+Buy+Go");
  expect(t("faq", { returnObjects: true })).toEqual(["Why", "How"]);
  expect(t("gaps", { returnObjects: true })).toEqual({ 1: "One" });
  expect(t("home.none", { returnObjects: true })).toBe("home.none");
  expect(t("home.hero", {})).toBe("home.hero");
});

test("an object that the app brings has its shape, with Livery's texts in it", async () => {
  const resources = { en: { translation: { home: { hero: { "sub-title": "Old", more: ["Kept"] } } } } };
  const { i18n, plugin } = await inEnglish({ home: { hero_sub_title: "New" } }, { resources, returnObjects: true });
  await plugin.client?.waitForLatest();

  expect((i18n.t as unknown as (key: string) => unknown)("home.hero")).toEqual({ "sub-title": "New", more: ["Kept"] });
});

// --- messages ----------------------------------------------------------------------------------------------------------

test("count chooses the branch of a message, whichever way the code names it", async () => {
  const items = "{count, plural, =0 {Nothing} one {# item of {name}} other {# items of {name}}}";
  const t = translate(await inEnglish({ cart: { items } }));

  expect(t("cart.items", { count: 0, name: "Ada" })).toBe("Nothing");
  expect(t("cart.items", { count: 1, name: "Ada" })).toBe("1 item of Ada");
  expect(t("cart.items", { count: 1200, name: "Ada" })).toBe("1,200 items of Ada");
  expect(t("cart.items", { replace: { name: "Ada" }, count: 1 })).toBe("1 item of Ada");
});

test("texts by plural form and by context work as in files", async () => {
  const shop = {
    items_one: "{count} item",
    items_other: "{count} items",
    place_ordinal_one: "{count}st",
    place_ordinal_other: "{count}th",
    friend: "A friend",
    friend_male: "A boyfriend",
    friend_male_other: "{count} boyfriends",
  };
  const t = translate(await inEnglish({ shop }));

  expect([t("shop.items", { count: 1 }), t("shop.items", { count: 3 })]).toEqual(["1 item", "3 items"]);
  expect([t("shop.place", { count: 1, ordinal: true }), t("shop.place", { count: 4, ordinal: true })]).toEqual([
    "1st",
    "4th",
  ]);
  expect(t("shop.friend", { context: "male" })).toBe("A boyfriend");
  expect(t("shop.friend", { context: "female" })).toBe("A friend");
  expect(t("shop.friend", { context: "male", count: 2 })).toBe("2 boyfriends");
});

test("a plural and an ordinal of the same name are two messages, as import makes them", async () => {
  const place = "{count, plural, one {# place} other {# places}}";
  const ordinal = "{count, selectordinal, one {#st of {total}} two {#nd} other {#th}}";
  const t = translate(await inEnglish({ race: { place, place_ordinal: ordinal, lap: ordinal, lap_male: ordinal } }));

  expect([t("race.place", { count: 1 }), t("race.place", { count: 2 })]).toEqual(["1 place", "2 places"]);
  expect(t("race.place", { count: 1, ordinal: true, total: 9 })).toBe("1st of 9");
  expect([t("race.lap", { count: 2, ordinal: true }), t("race.lap", { count: 4, ordinal: true })]).toEqual([
    "2nd",
    "4th",
  ]);
  expect(t("race.lap", { count: 3, ordinal: true, context: "male" })).toBe("3th");
});

test("separators of plural forms and contexts can be the app's own", async () => {
  const init = {
    pluralSeparator: "--",
    contextSeparator: "..",
    resources: { en: { translation: { "items--other": "old" } } },
  };
  const texts = {
    general: { items: "{count, plural, one {# item} other {# items}}", days_other: "{count} days", friend: "A" },
  };
  const app = await inEnglish(texts, { ...init, keySeparator: false });
  await app.plugin.client?.waitForLatest();
  const t = translate(app);

  expect([t("items", { count: 2 }), t("days", { count: 2 }), t("friend", { context: "x" })]).toEqual([
    "2 items",
    "2 days",
    "A",
  ]);
});

test("forms that the app brings do not hide a message of Livery, but a title of the same name leaves them alone", async () => {
  const forms = { items_one: "old one", items_other: "old others", days_one: "a day", days_other: "{{count}} days" };
  const texts = { general: { items: "{count, plural, one {# item} other {# items}}", days: "Days" } };
  const app = await inEnglish(texts, { resources: { en: { translation: forms } } });
  const t = translate(app);
  expect(t("items", { count: 2 })).toBe("old others");
  await app.plugin.client?.waitForLatest();

  expect([t("items", { count: 1 }), t("items", { count: 2 })]).toEqual(["1 item", "2 items"]);
  expect([t("days", { count: 2 }), t("days")]).toEqual(["2 days", "Days"]);
});

test("i18next fills in values: paths, formats, default variables, other prefixes", async () => {
  const home = {
    hello: "Hi {user.name} and {{user.name}}",
    price: "{{value, number}}",
    brand: "{brand} {brand, select, Acme {(us)} other {(them)}}",
  };
  const interpolation = { defaultVariables: { brand: "Acme" } };
  const app = await inEnglish({ home }, { interpolation });
  const t = translate(app);
  const other = await start(app.server, { interpolation: { prefix: "__", suffix: "__" } });

  expect(t("home.hello", { user: { name: "Ada" } })).toBe("Hi Ada and Ada");
  expect(t("home.price", { value: 1234.5 })).toBe("1,234.5");
  expect(t("home.brand")).toBe("Acme (us)");
  expect(translate(other)("home.hello", { user: { name: "Ada" } })).toBe("Hi Ada and Ada");
});

test("values are escaped exactly where i18next escapes them", async () => {
  const home = {
    hello: "<b>{name}</b>",
    raw: "{{- name}}",
    number: "{name, plural, other {#}}",
    choice: "{n, plural, other {# {name}}}",
  };
  const app = await inEnglish({ home });
  const plain = await start(app.server, { interpolation: { escapeValue: false } });
  const call = { name: "<i>", n: 1 };

  const names = ["home.hello", "home.raw", "home.number", "home.choice"];
  expect(names.map((name) => translate(app)(name, call))).toEqual([
    "<b>&lt;i&gt;</b>",
    "<i>",
    "&lt;i&gt;",
    "1 &lt;i&gt;",
  ]);
  expect(names.map((name) => translate(plain)(name, call))).toEqual(["<b><i></b>", "<i>", "<i>", "1 <i>"]);
});

test("a text can contain other texts, and a value can't bring in a text", async () => {
  const home = { brand: "Acme", hello: "Hi from $t(home.brand), {name}", n: "{name, plural, other {#}}" };
  const t = translate(await inEnglish({ home }));

  expect(t("home.hello", { name: "Ada" })).toBe("Hi from Acme, Ada");
  expect(t("home.hello", { name: "$t(home.brand)" })).toContain("$t(");
  expect(t("home.n", { name: "$t(home.brand)" })).toContain("$t(");
});

test("a value that is missing is i18next's to handle, and a broken message stays as it is written", async () => {
  const home = { hello: "Hi {name}", broken: "{count, plural, one {x}}" };
  const missing = vi.fn(() => "?");
  const app = await inEnglish({ home });
  const handled = await start(app.server, { missingInterpolationHandler: missing });

  expect(translate(app)("home.hello")).toBe("Hi {{name}}");
  expect(translate(handled)("home.hello")).toBe("Hi ?");
  expect(translate(app)("home.broken", { count: 1 })).toBe("{count, plural, one {x}}");
});

test("a plugin that formats by itself gets Livery's text as it is written", async () => {
  const server = await serve({ en: { home: { hello: "Hi {name}" } } });
  const plugin = livery({ ...access, baseUrl: server.baseUrl });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const format = {
    type: "i18nFormat" as const,
    parse: (text: string) => `parsed ${text}`,
    addLookupKeys: (keys: string[]) => keys,
  };

  await i18n.use(format).use(plugin).init({ lng: "en" });

  expect(i18n.t("home.hello")).toBe("parsed Hi {name}");
});

test("defaultValue, and missing keys reported and saved, are i18next's", async () => {
  const missingKeyHandler = vi.fn();
  const t = translate(await inEnglish({ home: { title: "Home" } }, { saveMissing: true, missingKeyHandler }));

  expect(t("home.new", { defaultValue: "New {{name}}", name: "Ada" })).toBe("New Ada");
  expect(t("home.bare")).toBe("home.bare");
  expect(t("home.title", { defaultValue: "Old" })).toBe("Home");
  expect(missingKeyHandler.mock.calls.map(([, ns, key, fallback]) => [ns, key, fallback])).toEqual([
    ["translation", "home.new", "New {{name}}"],
    ["translation", "home.bare", "home.bare"],
  ]);
});

// --- languages ---------------------------------------------------------------------------------------------------------

const twoLanguages = () =>
  serve({
    en: { home: { title: "Home", only: "English only" } },
    de: { home: { title: "Start", only: "English only" } },
  });

test("changeLanguage gives the new language's texts, and the old until they are here", async () => {
  const app = await start(await twoLanguages());
  const t = translate(app);
  let open = () => {};
  app.server.gate = new Promise((resolve) => {
    open = resolve;
  });

  const released = vi.fn();
  app.i18n.store.on("livery" as "added", released);

  const changed = app.i18n.changeLanguage("de");
  expect(t("home.title")).toBe("Home");
  open();
  await changed;

  expect([t("home.title"), t("home.only"), app.i18n.resolvedLanguage]).toEqual(["Start", "English only", "de"]);
  await app.i18n.changeLanguage("en");
  expect([t("home.title"), app.i18n.resolvedLanguage]).toEqual(["Home", "en"]);
  expect(released).not.toHaveBeenCalled();
});

test("content is asked for once a language, whatever namespaces are loaded", async () => {
  const app = await start(await twoLanguages(), { ns: ["translation", "a", "b"], preload: ["de", "en"] });
  await app.i18n.loadNamespaces(["c"]);
  await app.i18n.changeLanguage("de");

  expect(app.server.requests.filter((request) => request.startsWith("content"))).toEqual(["content en", "content de"]);
  expect(app.i18n.hasLoadedNamespace("c")).toBe(true);
});

test("the last of two fast language changes holds", async () => {
  const app = await start(await twoLanguages());

  await Promise.all([app.i18n.changeLanguage("de"), app.i18n.changeLanguage("en"), app.i18n.changeLanguage("de")]);

  expect([app.i18n.language, translate(app)("home.title")]).toEqual(["de", "Start"]);
});

test.each([
  ["de-AT", "de-AT", "Start", "de"],
  ["pt_BR", "pt-BR", "Home", "en"],
  ["dev", "", "Home", undefined],
])("%s asks Livery for '%s'", async (lng, asked, title, resolved) => {
  const app = await start(await twoLanguages(), { lng, fallbackLng: "en" });

  expect(app.server.requests[0]).toBe(`content ${asked}`.trim());
  expect([translate(app)("home.title"), app.i18n.resolvedLanguage]).toEqual([title, resolved]);
});

test("a language that the project lacks shows what the server gives instead, without a fallback in i18next", async () => {
  const app = await start(await twoLanguages(), { lng: "fr", fallbackLng: false });

  expect(translate(app)("home.title")).toBe("Home");
});

test("texts that the app brings in the language come before Livery's in a fallback language", async () => {
  const resources = { fr: { translation: { home: { title: "Accueil" } } } };
  const app = await start(await twoLanguages(), { lng: "fr", resources, partialBundledLanguages: true });
  await app.plugin.client?.waitForLatest();

  expect([translate(app)("home.title"), translate(app)("home.only")]).toEqual(["Accueil", "English only"]);
});

test("texts in a language without a region answer for the region, before what the app brings in a fallback language", async () => {
  const resources = { en: { translation: { home: { title: "Brought" } } } };
  const init = { lng: "de-AT", load: "currentOnly" as const, resources, partialBundledLanguages: true };
  const app = await start(await twoLanguages(), init);

  expect([translate(app)("home.title"), app.i18n.resolvedLanguage]).toEqual(["Start", "de-AT"]);
});

test("a detected language is followed, and cimode asks for nothing", async () => {
  const server = await twoLanguages();
  const plugin = livery({ ...access, baseUrl: server.baseUrl });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const detector = { type: "languageDetector" as const, detect: () => "de", init() {}, cacheUserLanguage() {} };

  await i18n.use(detector).use(plugin).init({ fallbackLng: "en" });
  expect(i18n.t("home.title")).toBe("Start");
  await i18n.changeLanguage("cimode");

  expect(i18n.t("home.title")).toBe("home.title");
  expect(server.requests.filter((request) => request.startsWith("content"))).toEqual(["content de"]);
});

test("a language that is detected in an app with texts of its own is followed", async () => {
  const server = await twoLanguages();
  const plugin = livery({ ...access, baseUrl: server.baseUrl });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const detector = { type: "languageDetector" as const, detect: () => "de", init() {}, cacheUserLanguage() {} };

  await i18n.use(detector).use(plugin).init({ fallbackLng: "en", resources: {} });

  await vi.waitFor(() => expect(i18n.t("home.title")).toBe("Start"));
});

test("where nothing is detected, the app starts in its fallback language", async () => {
  const server = await twoLanguages();
  const plugin = livery({ ...access, baseUrl: server.baseUrl });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const detector = { type: "languageDetector" as const, detect: () => undefined, init() {}, cacheUserLanguage() {} };

  await i18n.use(detector).use(plugin).init({ fallbackLng: "de" });

  expect([i18n.language, i18n.t("home.title")]).toEqual(["de", "Start"]);
});

test("a text of a different language than the one shown is not given", async () => {
  const app = await start(await twoLanguages(), { lng: "de", fallbackLng: false });

  expect(translate(app)("home.title", { lng: "en" })).toBe("home.title");
});

// --- releases ----------------------------------------------------------------------------------------------------------

test("a release changes texts, and i18next calls its listeners once", async () => {
  const app = await start(await serve({ en: { home: { title: "Home", old: "Old" } } }), {
    ns: ["translation", "common"],
  });
  await live(app);
  const events: unknown[] = [];
  app.i18n.on("loaded", (loaded) => events.push(loaded));

  app.server.publish({ en: { home: { title: "Welcome", old: null } } });
  await vi.waitFor(() => expect(app.i18n.t("home.title")).toBe("Welcome"));

  expect(events).toEqual([{ en: { translation: true, common: true } }]);
  expect(app.i18n.t("home.old")).toBe("home.old");
});

// --- without the server ------------------------------------------------------------------------------------------------

test("an unreachable server fails the first load once, and the texts come when it is back", async () => {
  const baseUrl = await unusedAddress();
  const plugin = livery({ ...access, baseUrl, onWarning: () => {} });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const failed = vi.fn();
  i18n.on("failedLoading", failed);
  const done = vi.fn();

  await i18n.use(plugin).init({ lng: "en", fallbackLng: "en", ns: ["translation", "common"] }, done);
  expect(done.mock.calls[0]?.[0]).toHaveLength(2);
  expect(failed).toHaveBeenCalledTimes(2);
  expect(i18n.t("home.title")).toBe("home.title");

  const server = new LiveryServer({ en: { home: { title: "Home" } } });
  await server.start(Number(new URL(baseUrl).port));
  ends.push(() => server.stop());
  await vi.waitFor(() => expect(i18n.t("home.title")).toBe("Home"), { timeout: 20_000 });
  expect(i18n.resolvedLanguage).toBe("en");
  expect(failed).toHaveBeenCalledTimes(2);
});

test("without a server, the language of a client without content changes at once", async () => {
  const client = createLivery({ ...access, baseUrl: await unusedAddress(), language: "en", onWarning: () => {} });
  ends.push(() => client.close());
  const i18n = createInstance();
  const done = vi.fn();
  const start = Date.now();

  await i18n.use(livery({ client })).init({ lng: "de" }, done);

  expect(done.mock.calls[0]?.[0]).toHaveLength(1);
  expect(Date.now() - start).toBeLessThan(8_000);
});

test("without a server, a bundled snapshot and the app's own texts show at once", async () => {
  const fallback = { language: "en", texts: { home: { title: "Bundled {name}" } } };
  const plugin = livery({ ...access, baseUrl: await unusedAddress(), fallback, onWarning: () => {} });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const resources = { en: { translation: { home: { title: "Brought", more: "More {{name}}" } } } };

  void i18n.use(plugin).init({ lng: "en", resources, partialBundledLanguages: true });

  expect(i18n.t("home.title", { name: "Ada" })).toBe("Bundled Ada");
  expect(i18n.t("home.more", { name: "Ada" })).toBe("More Ada");
});

test("the snapshot fills in for a text that the content lacks, in its own language only", async () => {
  const server = await twoLanguages();
  const fallback = { language: "en", texts: { home: { soon: "Soon", title: "Bundled" } } };
  const english = await start(server, {}, { fallback });
  const german = await start(server, { lng: "de", fallbackLng: "de" }, { fallback });
  await german.plugin.client?.waitForLatest();
  await english.plugin.client?.waitForLatest();

  expect([translate(english)("home.soon"), translate(english)("home.title")]).toEqual(["Soon", "Home"]);
  expect([translate(german)("home.soon"), translate(german)("home.title")]).toEqual(["home.soon", "Start"]);
});

test("a backend that the app keeps fills in for what Livery lacks", async () => {
  const server = await serve({ en: { home: { title: "Home" } } });
  const plugin = livery({ ...access, baseUrl: server.baseUrl });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const texts = { home: { title: "From a file", file: "Only in a file" } };
  const files = {
    type: "backend" as const,
    callbackApi: false,
    init() {},
    read: async (_lng: string, _ns: string) => texts,
  };

  await i18n
    .use(files as never)
    .use(plugin)
    .init({ lng: "en", fallbackLng: "en" });
  await plugin.client?.waitForLatest();

  expect([i18n.t("home.title"), i18n.t("home.file")]).toEqual(["Home", "Only in a file"]);
});

// --- life --------------------------------------------------------------------------------------------------------------

test("a server renders with a client of its own, without waiting, and closes it itself", async () => {
  const server = await twoLanguages();
  const client = createLivery({ ...access, baseUrl: server.baseUrl, language: "de", connection: "once" });
  ends.push(() => client.close());
  await client.waitForLatest();
  const plugin = livery({ client });
  const i18n = createInstance();

  void i18n.use(plugin).init({ lng: "de", initAsync: false, initImmediate: false } as InitOptions);

  expect([i18n.t("home.title"), plugin.client]).toEqual(["Start", client]);
  plugin.close();
  expect(client.state).not.toBe("closed");
});

test("a given client is switched to i18next's language, until the plugin is closed", async () => {
  const server = await twoLanguages();
  const client = createLivery({ ...access, baseUrl: server.baseUrl, language: "en" });
  ends.push(() => client.close());
  const i18n = createInstance();

  const plugin = livery({ client });

  await i18n.use(plugin).init({ lng: "de" });

  expect([i18n.t("home.title"), client.language]).toEqual(["Start", "de"]);
  await vi.waitFor(() => expect(client.state).toBe("live"));
  const loaded = vi.fn();
  plugin.close();
  await i18n.changeLanguage("en");
  expect(client.requestedLanguage).toBe("de");

  i18n.on("loaded", loaded);
  server.publish({ de: { home: { title: "Neu" } } });
  await vi.waitFor(() => expect(client.t("home.title")).toBe("Neu"));
  expect(loaded).not.toHaveBeenCalled();
});

test("close() ends the connection, and texts can still be read", async () => {
  const app = await start(await twoLanguages());
  await app.plugin.client?.waitForLatest();

  app.plugin.close();
  await app.i18n.changeLanguage("en");

  expect([app.plugin.client?.state, translate(app)("home.title")]).toEqual(["closed", "Home"]);
});

test("after a second init(), a release calls listeners once", async () => {
  const app = await start(await twoLanguages());
  await app.i18n.init({ lng: "en", fallbackLng: "en" });
  await live(app);
  const loaded = vi.fn();
  app.i18n.on("loaded", loaded);

  app.server.publish({ en: { home: { title: "Welcome" } } });
  await vi.waitFor(() => expect(app.i18n.t("home.title")).toBe("Welcome"));

  expect(loaded).toHaveBeenCalledTimes(1);
});
