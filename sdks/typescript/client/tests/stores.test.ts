/** Stores, where cases can't describe it: promises, iteration, identity and what is left after close. */

import { expect, test } from "vitest";
import { createLivery } from "../src/index.js";
import { FakePlatform, settled } from "./fake-platform.js";

const base = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en" };

function content(release: number, hash: string): string {
  const head = { projectId: "prj_test", version: `e1.${release}`, release, language: "en", languages: ["en"] };
  return JSON.stringify({ ...head, texts: {}, colors: {}, images: {}, stores: { products: hash } });
}

function page(release: number, hash: string, items: object[]): string {
  return JSON.stringify({ version: `e1.${release}`, hash, language: "en", items });
}

async function setUp() {
  const platform = new FakePlatform(0.5);
  const client = createLivery(base, platform);
  await platform.advance(0);
  platform.serve({ status: 200, text: content(1, "h1") });
  await platform.advance(0);
  return { platform, client, store: client.store("products") };
}

test("all items can be awaited and gone over, by any number of callers with one request", async () => {
  const { platform, store } = await setUp();
  const both = Promise.all([store.items(), store.items()]);
  platform.serve({ status: 200, text: page(1, "h1", [{ _id: "a", price: 1 }, { _id: "b" }]) }, "store");

  const [one, other] = await both;
  const seen: unknown[] = [];
  for await (const item of store.items()) seen.push(item._id);

  expect(one).toBe(other);
  expect(seen).toEqual(["a", "b"]);
  expect(Object.isFrozen(one)).toBe(true);
  expect(platform.requests.filter((request) => request.kind === "store")).toHaveLength(1);
});

test("what did not change stays the same object", async () => {
  const { platform, store } = await setUp();
  const first = store.items();
  platform.serve({ status: 200, text: page(1, "h1", [{ _id: "a", tags: { x: 1 } }, { _id: "b" }]) }, "store");
  const [a, b] = await first;

  platform.answerStream();
  const patch = { from: "e1.1", version: "e1.2", patch: { stores: { products: "h2" } } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(patch)}\n\n`));
  await settled();
  const second = store.items();
  platform.serve(
    {
      status: 200,
      text: page(2, "h2", [
        { _id: "b", price: 2 },
        { _id: "a", tags: { x: 1 } },
      ]),
    },
    "store",
  );
  const after = await second;

  expect(after[1]).toBe(a);
  expect(after[0]).not.toBe(b);
  expect(after[0]).toEqual({ _id: "b", price: 2 });
});

test("asking before there is any content waits for it", async () => {
  const platform = new FakePlatform(0.5);
  const client = createLivery(base, platform);
  const asked = client.store("products").items();
  await platform.advance(100);
  platform.serve({ status: 200, text: content(1, "h1") });
  platform.serve({ status: 200, text: page(1, "h1", [{ _id: "a" }]) }, "store");
  await platform.advance(0);

  expect(await asked).toEqual([{ _id: "a" }]);
});

test("where nothing is known, asking fails; it never waits for ever", async () => {
  const platform = new FakePlatform(0.5);
  platform.net = "down";
  const client = createLivery(base, platform);
  await platform.advance(0);

  await expect(client.store("products").items()).rejects.toThrow("products");
  await expect(
    createLivery({ ...base, connection: "off" }, platform)
      .store("x")
      .items(),
  ).rejects.toThrow("x");
});

test("close ends what is under way and leaves what is there", async () => {
  const { platform, client, store } = await setUp();
  const first = store.items();
  platform.serve({ status: 200, text: page(1, "h1", [{ _id: "a" }]) }, "store");
  await first;
  const other = client.store("offers");
  let changes = 0;
  store.subscribe(() => changes++);
  other.subscribe(() => changes++);
  platform.net = "hang";
  await settled();
  changes = 0;

  client.close();
  await settled();

  expect(platform.timers).toBe(0);
  expect(changes).toBe(0);
  expect(await store.items()).toEqual([{ _id: "a" }]);
  expect(client.store("products")).toBe(store);
});

test("an unsubscribed store is left alone, and a listener that throws does not stop the others", async () => {
  const { platform, store } = await setUp();
  let heard = 0;
  const stop = store.subscribe(() => {
    throw new Error("mine");
  });
  const stopOther = store.subscribe(() => heard++);
  await platform.advance(0);
  platform.serve({ status: 200, text: page(1, "h1", [{ _id: "a" }]) }, "store");
  await platform.advance(0);
  expect(heard).toBe(1);
  stop();
  stopOther();

  platform.answerStream();
  const patch = { from: "e1.1", version: "e1.2", patch: { stores: { products: "h2" } } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(patch)}\n\n`));
  await platform.advance(10_000);

  expect(platform.requests.filter((request) => request.kind === "store")).toHaveLength(1);
});

const items = (release: number, hash: string, titles: string[]) => ({
  status: 200,
  text: page(
    release,
    hash,
    titles.map((title) => ({ _id: title, title })),
  ),
});

test("after a reload without network the items of before are there, whoever asks or watches", async () => {
  const { platform, client, store } = await setUp();
  const asked = store.items();
  platform.serve(items(1, "h1", ["one", "two"]), "store");
  const before = await asked;
  await platform.advance(0);
  client.close();
  await settled();
  expect(platform.timers).toBe(0);

  const offline = new FakePlatform(0.5, platform.browser);
  offline.setNet("down");
  const next = createLivery(base, offline);
  let changes = 0;
  next.store("products").subscribe(() => changes++);
  await offline.advance(0);

  expect(next.store("products").current).toEqual(before);
  expect(await next.store("products").items()).toEqual(before);
  expect(changes).toBe(1);
  expect(offline.requests.filter(({ kind }) => kind === "store")).toEqual([]);
  next.close();
});

test("items of an older release show until the new items are here", async () => {
  const { platform, client, store } = await setUp();
  const asked = store.items();
  platform.serve(items(1, "h1", ["one"]), "store");
  await asked;
  client.close();

  const later = new FakePlatform(0.5, platform.browser);
  const next = createLivery(base, later);
  later.serve({ status: 200, text: content(2, "h2") });
  await later.advance(0);
  const watched = next.store("products");
  watched.subscribe(() => {});
  await later.advance(2_000);
  expect(watched.current).toEqual([{ _id: "one", title: "one" }]);

  later.serve(items(2, "h2", ["two"]), "store");
  await later.advance(0);
  expect(watched.current).toEqual([{ _id: "two", title: "two" }]);
});

test("damaged items of the device are dropped and reported once", async () => {
  const { platform, client, store } = await setUp();
  const asked = store.items();
  platform.serve(items(1, "h1", ["one"]), "store");
  await asked;
  client.close();
  const { records } = platform.browser;
  const key = "livery:items:prj_test:en:products";
  records.set(key, `${records.get(key)?.slice(0, -3)}`);

  const later = new FakePlatform(0.5, platform.browser);
  const next = createLivery(base, later).store("products");
  later.setNet("down");
  await expect(next.items()).rejects.toThrow();
  await expect(next.items()).rejects.toThrow();

  expect(later.warnings.filter((warning) => warning.includes("unreadable"))).toHaveLength(1);
  expect(records.has(key)).toBe(false);
});

test("items of at most 20 stores and of 1 MB each are kept, and content has priority", async () => {
  const { platform, client } = await setUp();
  const { records } = platform.browser;
  const kept = () => [...records.keys()].filter((key) => key.startsWith("livery:items:"));
  const names = Array.from({ length: 22 }, (_, at) => `store${at}`);
  platform.answerStream();
  const stores = Object.fromEntries([...names, "large"].map((name) => [name, "h1"]));
  const patch = { from: "e1.1", version: "e1.2", patch: { stores } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(patch)}\n\n`));
  await platform.advance(0);
  for (const name of [...names, "large"]) {
    const asked = client.store(name).items();
    platform.serve(items(2, "h1", [name === "large" ? "x".repeat(1024 * 1024) : "one"]), "store");
    await asked;
    await platform.advance(0);
  }
  expect(kept()).toHaveLength(20);
  expect(kept().join()).not.toMatch(/store[01],|large/);

  const set = platform.storage.set;
  platform.storage.set = (one, value) => {
    if (kept().length > 0) throw new Error("QuotaExceededError");
    set(one, value);
  };
  const more = { from: "e1.2", version: "e1.3", patch: { texts: { home: { title: "three" } } } };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(more)}\n\n`));
  await platform.advance(0);

  expect(kept()).toEqual([]);
  expect(records.get("livery:prj_test:en")).toContain("three");
});

test("items of a draft are not kept", async () => {
  const platform = new FakePlatform(0.5);
  const client = createLivery({ ...base, preview: "lvd_test" }, platform);
  await platform.advance(0);
  const draft = JSON.parse(content(1, "h1"));
  platform.serve({ status: 200, text: JSON.stringify({ ...draft, version: "draft-a.1" }) });
  await platform.advance(0);
  const asked = client.store("products").items();
  platform.serve(items(1, "h1", ["secret"]), "store");
  await asked;
  client.close();

  expect([...platform.browser.records.values()].join()).not.toContain("secret");
});

test("items of a different server are not shown", async () => {
  const { platform, client, store } = await setUp();
  const asked = store.items();
  platform.serve(items(1, "h1", ["one"]), "store");
  await asked;
  client.close();
  const fallback = JSON.parse(content(1, "h1"));
  const offline = () => Object.assign(new FakePlatform(0.5, platform.browser), { net: "down" });

  const same = createLivery({ ...base, fallback }, offline()).store("products");
  const moved = createLivery({ ...base, fallback, baseUrl: "https://moved.test" }, offline()).store("products");

  expect(await same.items()).toEqual([{ _id: "one", title: "one" }]);
  await expect(moved.items()).rejects.toThrow();
});

test("items of a draft are not kept when they arrive after the end of the preview", async () => {
  const platform = new FakePlatform(0.5);
  const client = createLivery({ ...base, preview: "lvd_test" }, platform);
  await platform.advance(0);
  const draft = JSON.parse(content(1, "h1"));
  platform.serve({ status: 200, text: JSON.stringify({ ...draft, version: "draft-a.1" }) });
  await platform.advance(0);
  const asked = client.store("products").items();
  await platform.advance(0);
  client.endPreview();
  platform.serve(items(1, "h1", ["secret"]), "store");
  await asked;
  client.close();

  expect([...platform.browser.records.values()].join()).not.toContain("secret");
});
