/** The parts that are loaded when they are first needed: what works without them, and what happens when they can't be loaded. */

import { expect, test } from "vitest";
import { createLivery, type LiveryOptions } from "../src/index.js";
import { Part } from "../src/parts.js";
import type { Parts } from "../src/platform.js";
import { FakeBrowser, FakePlatform, settled } from "./fake-platform.js";

const base = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en" };
const hello = new TextEncoder().encode('event: hello\ndata: {"version":"e1.1"}\n\n');

function content(texts: object, rest: object = {}): string {
  const head = { projectId: "prj_test", version: "e1.1", release: 1, language: "en", languages: ["en", "de"] };
  return JSON.stringify({ ...head, texts, colors: {}, images: {}, stores: { products: "h1", offers: "h1" }, ...rest });
}

/** Parts in the hand of the test: `load` answers every attempt that is pending, and all that follow, with the real code. */
class FakeParts implements Parts {
  readonly attempts = { network: 0, stores: 0, preview: 0 };
  mode: "pending" | "fails" | "loads" = "pending";
  readonly #pending: Array<() => void> = [];

  network = () => this.#attempt("network", () => import("../src/network.js"));
  stores = () => this.#attempt("stores", () => import("../src/stores.js"));
  preview = () => this.#attempt("preview", () => import("../src/preview.js"));

  load(): void {
    this.mode = "loads";
    for (const resolve of this.#pending.splice(0)) resolve();
  }

  fail(): void {
    this.mode = "fails";
    for (const resolve of this.#pending.splice(0)) resolve();
  }

  async #attempt<Code>(name: keyof Parts, load: () => Promise<Code>): Promise<Code> {
    this.attempts[name]++;
    if (this.mode === "pending") await new Promise<void>((resolve) => this.#pending.push(resolve));
    if (this.mode === "fails") throw new TypeError("Importing a module script failed.");
    return load();
  }
}

function setUp(options: Partial<LiveryOptions> = {}, { chance = 0.5, browser = new FakeBrowser() } = {}) {
  const parts = new FakeParts();
  const platform = Object.assign(new FakePlatform(chance, browser), { parts });
  return { platform, parts, client: createLivery({ ...base, ...options }, platform) };
}

test("bundled content can be read at once, before any part is loaded", async () => {
  const fallback = { texts: { home: { title: "Hi {name}" } }, colors: { primary: "#010203" } };
  const { client, parts } = setUp({ fallback });

  expect(client.t("home.title", { name: "Ada" })).toBe("Hi Ada");
  expect(client.color("primary")).toBe("#010203");
  expect(client.state).toBe("fallback");
  await client.ready();
  expect(parts.attempts).toEqual({ network: 1, stores: 0, preview: 0 });
});

test("content of the device can be read at once, before any part is loaded", async () => {
  const browser = new FakeBrowser();
  const before = setUp({ connection: "once" }, { browser });
  before.platform.serve({ status: 200, text: content({ home: { title: "Kept" } }) });
  before.parts.load();
  await before.platform.advance(0);
  before.client.close();

  const { client } = setUp({}, { browser });

  expect(client.t("home.title")).toBe("Kept");
  expect(client.state).toBe("cached");
});

test("a client without a network loads no part until somebody asks for items", async () => {
  const { client, parts, platform } = setUp({ connection: "off", fallback: { texts: {} } });
  await platform.advance(100_000);

  expect(client.state).toBe("fallback");
  expect(parts.attempts).toEqual({ network: 0, stores: 0, preview: 0 });
});

test.each([
  ["shortest", 0, 0.5],
  ["longest", 0.999999, 1],
])("a part that can't be loaded is tried again after the %s pauses of failed requests", async (_, chance, factor) => {
  const { platform, parts } = setUp({}, { chance });
  parts.fail();
  await platform.advance(0);

  for (const [at, pause] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    await platform.advance(pause * factor - 10);
    expect(parts.attempts.network).toBe(at + 1);
    await platform.advance(10);
    expect(parts.attempts.network).toBe(at + 2);
  }
});

test("a part that can't be loaded gives one warning, and the client goes live once the part is there", async () => {
  const { client, platform, parts } = setUp({ fallback: { texts: { home: { title: "Bundled" } } } });
  parts.fail();
  await platform.advance(600_000);
  expect(client.t("home.title")).toBe("Bundled");
  expect(platform.warnings).toEqual([
    "[livery] the code for the network was not loaded and is tried again: TypeError: Importing a module script failed.",
  ]);
  expect(platform.requests).toHaveLength(0);

  parts.load();
  platform.serve({ status: 200, text: content({ home: { title: "Fresh" } }) });
  await platform.advance(30_000, () => platform.waitsForStream);
  platform.answerStream();
  platform.streams[0]?.push(hello);
  await platform.advance(0);

  expect(client.t("home.title")).toBe("Fresh");
  expect(client.state).toBe("live");
  expect(platform.warnings).toHaveLength(1);
});

test("ready resolves when the network part can't be loaded", async () => {
  const { client, platform, parts } = setUp();
  let isReady = false;
  void client.ready().then(() => (isReady = true));
  await platform.advance(0);
  expect(isReady).toBe(false);

  parts.fail();
  await platform.advance(0);

  expect(isReady).toBe(true);
  expect(client.state).toBe("empty");
});

test.each(["online", "visible"] as const)("a device that is %s again tries within two seconds", async (event) => {
  const { platform, parts } = setUp({}, { chance: 0.999999 });
  parts.fail();
  await platform.advance(40_000);
  const before = parts.attempts.network;

  platform.emit("offline");
  platform.emit(event);
  platform.emit(event);
  await platform.advance(2_000);

  expect(parts.attempts.network).toBe(before + 1);
});

test("waitForLatest waits for the part, and not longer than asked", async () => {
  const { client, platform, parts } = setUp();
  const outcomes: boolean[] = [];
  void client.waitForLatest({ timeout: 1_000 }).then((isLatest) => outcomes.push(isLatest));
  await platform.advance(1_000);
  expect(outcomes).toEqual([false]);

  void client.waitForLatest().then((isLatest) => outcomes.push(isLatest));
  parts.load();
  platform.serve({ status: 200, text: content({}) });
  await platform.advance(0);
  expect(outcomes).toEqual([false, true]);
});

test("a language that is chosen while the part loads is the only one asked for", async () => {
  const { client, platform, parts } = setUp();
  const shown = client.setLanguage("de");

  parts.load();
  platform.serve({ status: 200, text: content({ home: { title: "Hallo" } }, { language: "de" }) });
  await platform.advance(0);

  expect(await shown).toBe(true);
  expect(platform.requests.map((request) => request.query.get("lang"))).toEqual(["de", "de"]);
  expect(parts.attempts.network).toBe(1);
});

test("a preview that ends while the part loads leaves no request for the draft", async () => {
  const { client, platform, parts } = setUp({ preview: "lvd_test" });
  client.endPreview();

  parts.load();
  await platform.advance(0);

  expect(platform.requests.map((request) => request.query.get("preview"))).toEqual([null]);
});

test.each(["load", "fail"] as const)("close while the parts are loading leaves nothing (%s)", async (end) => {
  const { client, platform, parts } = setUp();
  let changes = 0;
  client.store("products").subscribe(() => changes++);
  client.close();
  parts[end]();
  await platform.advance(100_000);

  client.store("products").subscribe(() => changes++);
  client.store("offers").subscribe(() => changes++);
  await platform.advance(100_000);

  expect([platform.requests.length, platform.timers, changes]).toEqual([0, 0, 0]);
  expect(parts.attempts).toEqual({ network: 1, stores: 1, preview: 0 });
  expect(platform.warnings).toEqual([]);
});

test("close between two attempts ends them", async () => {
  const { client, platform, parts } = setUp();
  client.store("products").subscribe(() => {});
  parts.fail();
  await platform.advance(10_000);
  const { network, stores } = parts.attempts;

  client.close();
  platform.emit("online");
  await platform.advance(100_000);

  expect(parts.attempts).toMatchObject({ network, stores });
  expect(platform.timers).toBe(0);
});

async function live() {
  const given = setUp();
  given.parts.load();
  given.platform.serve({ status: 200, text: content({}) });
  await given.platform.advance(0);
  return given;
}
const page = (items: object[]) => JSON.stringify({ version: "e1.1", hash: "h1", language: "en", items });

test("asking for items fails where the code for it can't be loaded, and the next call tries again", async () => {
  const { client, platform, parts } = await live();
  const store = client.store("products");
  parts.mode = "fails";

  await expect(store.items()).rejects.toThrow(`the store "products" can't be fetched: its code was not loaded`);
  await expect(store.items()[Symbol.asyncIterator]().next()).rejects.toThrow("products");
  expect(store.current).toBeUndefined();
  parts.mode = "loads";
  const items = store.items();
  platform.serve({ status: 200, text: page([{ _id: "a" }]) }, "store");

  expect(await items).toEqual([{ _id: "a" }]);
});

test("stores that are subscribed to share the attempts, and show their items once the code is there", async () => {
  const { client, platform, parts } = await live();
  let changes = 0;
  parts.mode = "fails";
  for (const name of ["products", "offers"]) client.store(name).subscribe(() => changes++);
  await platform.advance(1_000);
  expect(parts.attempts.stores).toBe(2);
  expect(platform.warnings).toHaveLength(1);

  parts.mode = "loads";
  for (const id of ["a", "b"]) platform.serve({ status: 200, text: page([{ _id: id }]) }, "store");
  await platform.advance(30_000);

  expect(parts.attempts.stores).toBe(3);
  expect(client.store("products").current).toEqual([{ _id: "a" }]);
  expect(client.store("offers").current).toEqual([{ _id: "b" }]);
  expect(changes).toBe(2);
});

test("a store that is unsubscribed before its code is there fetches nothing", async () => {
  const { client, platform, parts } = await live();
  parts.mode = "fails";
  const stop = client.store("products").subscribe(() => {});
  await platform.advance(0);
  const { timers } = platform;

  stop();
  expect(platform.timers).toBe(timers - 1);
  parts.mode = "loads";
  await platform.advance(60_000);

  expect(parts.attempts.stores).toBe(1);
  expect(platform.requests.filter((request) => request.kind === "store")).toHaveLength(0);
});

test("where a browser remembers a failure, the file is asked for at another address", async () => {
  const address = new URL("../src/direction.ts", import.meta.url).href;
  const error = new TypeError(`Failed to fetch dynamically imported module: ${address}`);
  const loaded: unknown[] = [];
  const errors: unknown[] = [];
  const platform = new FakePlatform(0.5);
  const part = new Part<object>(
    () => Promise.reject(error),
    platform,
    (one) => errors.push(one),
  );
  part.request((code) => loaded.push(code));
  await settled();
  expect([errors, loaded]).toEqual([[error], []]);

  await platform.advance(1_000);
  await expect.poll(() => loaded.length).toBe(1);

  expect(loaded[0]).toHaveProperty("directionOf");
  expect(errors).toHaveLength(1);
});

test("a part whose use fails is reported, and nothing is thrown into the app", async () => {
  const errors: unknown[] = [];
  const platform = new FakePlatform(0.5);
  const part = new Part(
    () => Promise.resolve({}),
    platform,
    (error) => errors.push(String(error)),
  );
  const used: string[] = [];
  part.request(() => {
    throw new Error("no channel");
  });
  part.request(() => used.push("other"));
  await settled();
  expect([errors, used]).toEqual([["Error: no channel"], []]);

  await platform.advance(1_000);
  expect(used).toEqual(["other"]);
});
