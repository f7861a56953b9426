/** What cases can't describe: promises, listeners, limits of the device, style sheets, types, and the platform boundary. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, expectTypeOf, test } from "vitest";
import { applyColors, createLivery, type LiveryOptions, type TextKeys } from "../src/index.js";
import { colorStyleSheet, colorVariableName } from "../src/page.js";
import { FakeBrowser, FakePlatform, type FakeRequest, FakeStream, settled } from "./fake-platform.js";

const base = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en" };

function content(release: number, texts: object, rest: object = {}): string {
  const head = { projectId: "prj_test", version: `e1.${release}`, release, language: "en", languages: ["en", "de"] };
  return JSON.stringify({ ...head, texts, colors: {}, images: {}, stores: {}, ...rest });
}

function setUp(options: Partial<LiveryOptions> = {}, platform = new FakePlatform(0.5)) {
  return { platform, client: createLivery({ ...base, ...options }, platform) };
}

test("a set-up that can't work throws at once", () => {
  expect(() => setUp({ projectId: "" })).toThrow(TypeError);
  expect(() => setUp({ key: "" })).toThrow(TypeError);
  expect(() => setUp({ key: "lvs_secret" })).toThrow("project secret");
});

test("ready resolves at once with a bundle, or else with the first answer", async () => {
  await setUp({ fallback: { texts: {} } }).client.ready();

  const { client, platform } = setUp();
  let isReady = false;
  void client.ready().then(() => (isReady = true));
  await platform.advance(0);
  expect(isReady).toBe(false);
  platform.serve({ status: 200, text: content(1, {}) });
  await platform.advance(0);
  expect(isReady).toBe(true);
});

test("a client that a listener closes leaves no timer", async () => {
  const { client, platform } = setUp();
  client.subscribe(() => client.close());
  await platform.advance(0);

  platform.serve({ status: 200, text: content(1, {}) });
  await platform.advance(0);

  expect(client.state).toBe("closed");
  expect(platform.timers).toBe(0);
});

test("ready resolves after five seconds when nothing answers", async () => {
  const { client, platform } = setUp();
  let isReady = false;
  void client.ready().then(() => (isReady = true));

  await platform.advance(4_999);
  expect(isReady).toBe(false);
  await platform.advance(1);
  expect(isReady).toBe(true);
});

test("a body on a slow line arrives as long as its bytes do", async () => {
  const { client, platform } = setUp();
  await platform.advance(0);
  const bytes = new TextEncoder().encode(content(1, { home: { title: "x".repeat(588_000) } }));
  const [request] = platform.requests;
  const body = new FakeStream((request as FakeRequest).signal);
  request?.answer(200, {}, body);

  for (let at = 0; at < bytes.length; at += 50_000) {
    await platform.advance(1_000);
    body.push(bytes.slice(at, at + 50_000));
  }
  body.end();
  await platform.advance(0);

  expect(client.t("home.title")).toHaveLength(588_000);
  expect(platform.requests.map(({ kind }) => kind)).toEqual(["content", "stream"]);
  client.close();
  await settled();
  expect(platform.timers).toBe(0);
});

test("a body that pauses for ten seconds is asked for again", async () => {
  const { platform } = setUp();
  await platform.advance(9_000);
  const [request] = platform.requests;
  const body = new FakeStream((request as FakeRequest).signal);
  request?.answer(200, {}, body);
  await platform.advance(9_000);
  body.push(new TextEncoder().encode("{"));
  await platform.advance(9_999);
  expect(request?.signal.aborted).toBe(false);

  await platform.advance(1);
  expect(request?.signal.aborted).toBe(true);
  await platform.advance(1_000);
  expect(platform.requests).toHaveLength(2);
});

test("a base URL without a scheme gives one warning with the remedy", async () => {
  const { platform } = setUp({ baseUrl: "livery.test" });
  platform.serve({ status: 200, text: "<!doctype html>" });
  await platform.advance(1_000);
  platform.serve({ status: 200, text: "<!doctype html>" });
  await platform.advance(0);

  expect(platform.warnings).toHaveLength(1);
  expect(platform.warnings[0]).toContain('Write "https://livery.test"');
});

test.each([
  { baseUrl: "https://livery.test", from: "https://livery.test" },
  { baseUrl: "", from: "the page's own server" },
])("a server that is not Livery gives one warning: $from", async ({ baseUrl, from }) => {
  const { platform } = setUp({ baseUrl });
  for (let time = 0; time < 3; time++) {
    platform.serve({ status: 404, text: "<!doctype html>" });
    await platform.advance(4_000);
  }

  expect(platform.warnings).toHaveLength(1);
  expect(platform.warnings[0]).toContain(`no content from ${from}: it answered 404 without content of this project`);
});

test("a server that was there before and is away gives no warning", async () => {
  const { platform } = setUp();
  platform.serve({ status: 200, text: content(1, {}) });
  await platform.advance(0);
  platform.setNet("down");
  await platform.advance(600_000);

  expect(platform.warnings).toEqual([]);
});

test("the developer reads why the server refuses", async () => {
  const warnings: string[] = [];
  const { platform } = setUp({ onWarning: (message) => warnings.push(message) });
  const text = JSON.stringify({ message: "This key is unknown or has ended.", code: "unknown_key" });
  platform.serve({ status: 401, text });
  await platform.advance(0);

  expect(warnings).toEqual([
    '[livery] the server answered 401 ("This key is unknown or has ended."); the content at hand stays in use',
  ]);
});

test("waitForLatest resolves with false after at most five seconds", async () => {
  const { client, platform } = setUp();
  let outcome: boolean | undefined;
  void client.waitForLatest({ timeout: 60_000 }).then((isLatest) => (outcome = isLatest));

  await platform.advance(5_000);

  expect(outcome).toBe(false);
});

test("waitForLatest resolves at once while connected, and waits for the connection after a loss", async () => {
  const { client, platform } = setUp();
  platform.serve({ status: 200, text: content(1, {}) });
  await platform.advance(0);
  platform.answerStream();
  platform.streams[0]?.push(new TextEncoder().encode('event: hello\ndata: {"version":"e1.1"}\n\n'));
  await platform.advance(0);
  expect(await client.waitForLatest()).toBe(true);

  platform.streams[0]?.end();
  await platform.advance(0);
  let outcome: boolean | undefined;
  void client.waitForLatest({ timeout: 1_000 }).then((isLatest) => (outcome = isLatest));
  await platform.advance(1_000);
  expect(outcome).toBe(false);
});

test("a listener that throws is reported and the others are still called", async () => {
  const { client, platform } = setUp();
  const seen: string[] = [];
  client.subscribe(() => {
    throw new Error("mine");
  });
  client.subscribe(() => seen.push(client.t("home.title")));

  platform.serve({ status: 200, text: content(1, { home: { title: "Hello" } }) });
  await platform.advance(0);

  expect(seen).toEqual(["Hello"]);
  expect(platform.warnings.join()).toContain("mine");
});

test("a listener sees the whole new content and never half of it", async () => {
  const { client, platform } = setUp();
  let seen: unknown;
  client.subscribe((change) => {
    seen = [change.version, client.version, client.t("a.one"), client.color("two"), client.language];
  });

  platform.serve({ status: 200, text: content(1, { a: { one: "1" } }, { colors: { two: "#020202" } }) });
  await platform.advance(0);

  expect(seen).toEqual(["e1.1", "e1.1", "1", "#020202", "en"]);
});

test("an unsubscribed listener hears nothing", async () => {
  const { client, platform } = setUp();
  let calls = 0;
  client.subscribe(() => calls++)();

  platform.serve({ status: 200, text: content(1, {}) });
  await platform.advance(0);

  expect(calls).toBe(0);
});

test("setLanguage resolves with whether the language is shown", async () => {
  const { client, platform } = setUp();
  platform.serve({ status: 200, text: content(1, {}) });
  await platform.advance(0);

  const overtaken = client.setLanguage("de");
  const shown = client.setLanguage("en");
  expect(await overtaken).toBe(false);
  expect(await shown).toBe(true);

  let outcome: boolean | undefined;
  void client.setLanguage("ja").then((isShown) => (outcome = isShown));
  await platform.advance(10_000);
  expect(outcome).toBe(false);
  expect(client.requestedLanguage).toBe("ja");
});

test("with a bundle for each language, a switch without network shows the bundled language", async () => {
  const fallback = [
    { language: "en", texts: { home: { title: "Hello" } } },
    { language: "de", texts: { home: { title: "Hallo" } } },
  ];
  const { client, platform } = setUp({ fallback });
  platform.setNet("down");

  expect(await client.setLanguage("de")).toBe(true);

  expect(client.t("home.title")).toBe("Hallo");
  expect(client.language).toBe("de");
});

test("parts that did not change stay the same objects", async () => {
  const { client, platform } = setUp();
  platform.serve({ status: 200, text: content(1, { a: { one: "1" } }, { colors: { two: "#020202" } }) });
  await platform.advance(0);
  const { colors, texts } = client.snapshot ?? {};
  const all = client.colors();

  platform.answerStream();
  const change = { from: "e1.1", version: "e1.2", release: 2, patch: { texts: { a: { one: "one" } } } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(change)}\n\n`));
  await settled();

  expect(client.t("a.one")).toBe("one");
  expect(client.snapshot?.colors).toBe(colors);
  expect(client.colors()).toBe(all);
  expect(client.snapshot?.texts).not.toBe(texts);
});

test("the device keeps the five projects that were used last", async () => {
  const browser = new FakeBrowser();
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    const platform = new FakePlatform(0.5, browser);
    const client = createLivery({ ...base, projectId: `prj_${name}`, connection: "once" }, platform);
    platform.serve({ status: 200, text: content(1, {}, { projectId: `prj_${name}` }) });
    await platform.advance(0);
    client.close();
  }

  const projects = [...browser.records.keys()].filter((key) => key.endsWith(":en"));
  expect(projects.sort()).toEqual(["b", "c", "d", "e", "f"].map((name) => `livery:prj_${name}:en`));
});

test("content of another server is not taken from the device", async () => {
  const browser = new FakeBrowser();
  const theirs = setUp({ baseUrl: "https://other.test" }, new FakePlatform(0.5, browser));
  theirs.platform.serve({ status: 200, text: content(1, { home: { title: "Theirs" } }) });
  await theirs.platform.advance(0);

  const { client } = setUp({}, new FakePlatform(0.5, browser));

  expect(client.t("home.title", "Default")).toBe("Default");
});

test("reading accepts any key and any parameter and never throws", () => {
  const { client } = setUp({ fallback: { texts: { home: { title: "Hi {name}" } } } });
  const odd = [undefined, null, 7, {}, [], Symbol("x"), Object.create(null)] as never[];

  for (const one of odd) {
    expect(typeof client.t(one)).toBe("string");
    expect(typeof client.t("home.title", one, one)).toBe("string");
    expect(client.color(one)).toBeUndefined();
    expect(client.image(one)).toBeUndefined();
  }
  expect(typeof client.t("home.title", { name: Object.create(null) as never })).toBe("string");
});

test("CSS variables are set, changed and removed on the element", async () => {
  const { client, platform } = setUp();
  const style = new Map<string, string>();
  const element = {
    style: {
      setProperty: (name: string, value: string) => void style.set(name, value),
      removeProperty: (name: string) => style.delete(name),
    },
  };
  platform.serve({ status: 200, text: content(1, {}, { colors: { primary: "#6750a4", old: "#000000" } }) });
  await platform.advance(0);

  const stop = applyColors(client, element);
  expect(Object.fromEntries(style)).toEqual({ "--livery-primary": "#6750a4", "--livery-old": "#000000" });

  platform.answerStream();
  const change = { from: "e1.1", version: "e1.2", patch: { colors: { primary: "#112233", old: null } } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(change)}\n\n`));
  await settled();
  expect(Object.fromEntries(style)).toEqual({ "--livery-primary": "#112233" });

  stop();
  expect(style.size).toBe(0);
});

test("the name or the value of a colour can't break out of the style sheet", () => {
  const sheet = colorStyleSheet({ "a.b": "#010203", "x;}</style>": "#040506", bad: "red;}" });

  expect(sheet).toBe(":root { --livery-a\\.b: #010203; --livery-x\\;\\}\\3c \\/style\\>: #040506; }");
  expect(colorVariableName("1\n\0ü")).toBe("--livery-1\\a \uFFFDü");
});

test("keys can be typed from a bundle", () => {
  type Keys = TextKeys<{ texts: { home: { title: string; sub: string }; cart: { pay: string } } }>;

  expectTypeOf<Keys>().toEqualTypeOf<"home.title" | "home.sub" | "cart.pay">();
});

test("a snapshot has only plain objects, as React server components demand, also for names like __proto__", async () => {
  const isPlain = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return typeof value !== "function" && typeof value !== "symbol";
    if (Array.isArray(value)) return value.every(isPlain);
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
  };
  const images = { logo: { url: "/media/prj_test/a.webp", width: 1, height: 1 } };
  const texts = '{"__proto__":{"__proto__":"mine","constructor":"yours"},"home":{"title":"Hello"}}';
  const rest = { images, colors: JSON.parse('{"__proto__":"#010203"}'), stores: { products: "h1" } };
  const { client, platform } = setUp();
  platform.serve({ status: 200, text: content(1, JSON.parse(texts), rest) });
  await platform.advance(0);
  expect(isPlain(client.snapshot)).toBe(true);
  expect(isPlain(client.colors())).toBe(true);

  const patch = '{"texts":{"__proto__":{"more":"ours"},"constructor":{"name":"theirs"}}}';
  platform.answerStream();
  const data = `{"from":"e1.1","version":"e1.2","patch":${patch}}`;
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${data}\n\n`));
  await platform.advance(0);

  expect(client.version).toBe("e1.2");
  expect(isPlain(client.snapshot)).toBe(true);
  expect(client.t("__proto__.__proto__" as never)).toBe("mine");
  expect(client.t("__proto__.more" as never)).toBe("ours");
  expect(client.t("constructor.name" as never)).toBe("theirs");
  expect(client.t("toString.name" as never, "default")).toBe("default");
  expect(client.color("__proto__" as never)).toBe("#010203");
  expect(({} as Record<string, unknown>).more).toBeUndefined();
  const sent = JSON.parse(JSON.stringify(client.snapshot));
  expect(client.reader(sent).t("__proto__.more" as never)).toBe("ours");
});

test.each(["https://x.test/livery", "https://x.test/livery/", "/livery"])(
  "images are below the base URL %s",
  async (baseUrl) => {
    const images = { logo: { url: "/media/prj_test/a.webp", width: 1, height: 1 } };
    const { client, platform } = setUp({ baseUrl });
    platform.serve({ status: 200, text: content(1, {}, { images }) });
    await platform.advance(0);

    expect(client.image("logo")?.url).toBe(`${baseUrl.replace(/\/$/, "")}/media/prj_test/a.webp`);
  },
);

test("content of a different base URL is dropped without a warning", async () => {
  const platform = new FakePlatform(0.5);
  const before = createLivery(base, platform);
  platform.serve({ status: 200, text: content(1, { home: { title: "one" } }) });
  await platform.advance(0);
  before.close();

  const client = createLivery({ ...base, baseUrl: "https://moved.test" }, platform);

  expect(client.state).toBe("empty");
  expect(platform.warnings).toEqual([]);
  expect(platform.browser.records.has("livery:prj_test:en")).toBe(false);
});

const key = "livery:prj_test:en";
const manyTexts = (title: string) => ({
  home: Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`text_${at}`, `${title} ${at}`])),
});

/** A device so slow that each look at the clock takes a millisecond. */
class SlowPlatform extends FakePlatform {
  #looks = 0;
  readonly slices: number[] = [];
  override now = () => this.time + this.#looks++;
  override after(milliseconds: number, run: () => void): () => void {
    return super.after(Math.max(milliseconds, 0), () => {
      const before = this.#looks;
      run();
      this.slices.push(this.#looks - before);
    });
  }
}

test("content is written to the device in slices of some milliseconds, and the newest content counts", async () => {
  const platform = new SlowPlatform(0.5);
  const { client } = setUp({}, platform);
  platform.serve({ status: 200, text: content(1, manyTexts("one")) });
  await platform.advance(0, () => platform.slices.length > 50);
  expect(client.t("home.text_7")).toBe("one 7");
  expect(platform.browser.records.has(key)).toBe(false);

  platform.answerStream();
  const data = { from: "e1.1", version: "e1.2", patch: { texts: manyTexts("two") } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(data)}\n\n`));
  await platform.advance(0);

  expect(Math.max(...platform.slices)).toBeLessThan(50);
  client.close();
  const next = createLivery(base, new FakePlatform(0.5, platform.browser));
  expect([next.version, next.t("home.text_7")]).toEqual(["e1.2", "two 7"]);
});

test.each(["hidden", "left", "closed"] as const)(
  "a page that is %s writes at once what is still to be written",
  async (way) => {
    const platform = new SlowPlatform(0.5);
    const { client } = setUp({}, platform);
    platform.serve({ status: 200, text: content(1, manyTexts("one")) });
    await platform.advance(0, () => platform.slices.length > 50);
    expect(platform.browser.records.has(key)).toBe(false);

    if (way === "closed") client.close();
    else platform.emit(way);

    expect(createLivery(base, new FakePlatform(0.5, platform.browser)).t("home.text_7")).toBe("one 7");
  },
);

test("only the platform and the page helpers touch globals of a browser", () => {
  const folder = new URL("../src/", import.meta.url);
  const outside = /\b(window|document|navigator|localStorage|setTimeout|Date\.now|Math\.random)\b|(?<![.#])\bfetch\(/;
  const offenders = readdirSync(folder).filter((file) => {
    if (
      ["browser.ts", "browser-network.ts", "page.ts", "preview.ts", "css.ts", "language.ts", "platform.ts"].includes(
        file,
      )
    )
      return false;
    const code = readFileSync(new URL(file, folder), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    return outside.test(code);
  });

  expect(offenders).toEqual([]);
});
