/** An app that watches a store sees the texts and the items of a release change together. */

import { expect, test } from "vitest";
import { createLivery, type LiveryOptions } from "../src/index.js";
import { FakePlatform, settled } from "./fake-platform.js";

const base = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en" };

function content(release: number, language = "en"): string {
  const head = { projectId: "prj_test", version: `e1.${release}`, release, language, languages: ["en", "de"] };
  const texts = { home: { title: `${language} ${release}` } };
  return JSON.stringify({ ...head, texts, colors: {}, images: {}, stores: { products: `h${release}${language}` } });
}

/** A client that shows release 1, with a watcher of its store. `seen` has what each listener sees when it is called. */
async function setUp(options: Partial<LiveryOptions> = {}, isWatched = true) {
  const platform = new FakePlatform(0.5);
  const client = createLivery({ ...base, ...options }, platform);
  const store = client.store("products");
  const seen: string[] = [];
  const now = () => `${client.t("home.title")}, ${store.current?.map(({ _id }) => _id).join()}`;
  const serveItems = async (release: number, id: string, language = "en") => {
    const hash = `h${release}${language}`;
    const text = JSON.stringify({ version: `e1.${release}`, hash, language, items: [{ _id: id }] });
    platform.serve({ status: 200, text }, "store");
    await platform.advance(0);
  };
  platform.serve({ status: 200, text: content(1) });
  await platform.advance(0);
  if (isWatched) store.subscribe(() => seen.push(`items: ${now()}`));
  await platform.advance(0);
  if (isWatched) await serveItems(1, "one");
  client.subscribe(() => seen.push(`content: ${now()}`));
  platform.answerStream();
  const say = async (event: string, data: object) => {
    platform.streams.at(-1)?.push(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
    await platform.advance(0);
  };
  const release = (number: number, stores: object = { products: `h${number}en` }) =>
    say("release", {
      from: `e1.${number - 1}`,
      version: `e1.${number}`,
      patch: { texts: { home: { title: `en ${number}` } }, stores },
    });
  await say("hello", { version: "e1.1" });
  seen.length = 0;
  const requests = () => platform.requests.filter(({ kind }) => kind === "store").length;
  return { platform, client, store, seen, now, serveItems, release, requests };
}

test("listeners of the content and of the store see one change with new texts and new items", async () => {
  const { platform, client, seen, now, serveItems, release, requests } = await setUp();
  await release(2);
  await platform.advance(500);
  expect(requests()).toBe(2);
  expect([now(), client.pending, client.state]).toEqual(["en 1, one", false, "live"]);
  expect(seen).toEqual([]);

  await serveItems(2, "two");

  expect(seen).toEqual(["content: en 2, two", "items: en 2, two"]);
  await platform.advance(60_000);
  expect(requests()).toBe(2);
});

test("waitForLatest resolves when the release is shown", async () => {
  const { platform, client, now, serveItems, release } = await setUp();
  await release(2);
  let shown: string | undefined;
  void client.waitForLatest().then(() => (shown = now()));
  await platform.advance(500);
  await serveItems(2, "two");

  expect(shown).toBe("en 2, two");
});

test("items that take over a second follow the texts", async () => {
  const { platform, seen, serveItems, release, requests } = await setUp();
  await release(2);
  await platform.advance(999);
  expect(seen).toEqual([]);
  await platform.advance(1);
  expect(seen).toEqual(["content: en 2, one"]);

  await serveItems(2, "two");
  await platform.advance(2_000);

  expect(seen).toEqual(["content: en 2, one", "items: en 2, two"]);
  expect(requests()).toBe(2);
});

test("items that can't be had hold nothing up, and are asked for again", async () => {
  const { platform, seen, serveItems, release, requests } = await setUp();
  await release(2);
  platform.serve({ status: 503 }, "store");
  await platform.advance(500);
  expect(seen).toEqual(["content: en 2, one"]);

  await platform.advance(2_000);
  expect(requests()).toBe(3);
  await serveItems(2, "two");
  expect(seen.at(-1)).toBe("items: en 2, two");
});

test("a release that leaves the store alone shows at once", async () => {
  const { seen, release } = await setUp();
  await release(2, {});
  expect(seen).toEqual(["content: en 2, one"]);
});

test("without anybody who watches, a release shows at once and fetches nothing", async () => {
  const { seen, release, requests } = await setUp({}, false);
  await release(2);
  expect(seen).toEqual(["content: en 2, undefined"]);
  expect(requests()).toBe(0);
});

test("releases that follow each other show the newest within the same second", async () => {
  const { platform, seen, release } = await setUp();
  for (const number of [2, 3, 4]) {
    await release(number);
    await platform.advance(300);
  }
  expect(seen).toEqual([]);
  await platform.advance(100);
  expect(seen).toEqual(["content: en 4, one"]);
});

test("a client that is closed before the items arrive calls nobody and leaves no timer", async () => {
  const { platform, client, seen, release } = await setUp();
  await release(2);
  client.close();
  await settled();

  expect(platform.timers).toBe(0);
  expect(seen).toEqual([]);
});

test("in manual mode the items are there when the release is activated", async () => {
  const { platform, client, seen, now, serveItems, release } = await setUp({ mode: "manual" });
  await release(2);
  await platform.advance(500);
  await serveItems(2, "two");
  expect([client.pending, now()]).toEqual([true, "en 1, one"]);

  client.activate();

  expect(seen).toEqual(["content: en 2, two", "items: en 2, two"]);
});

test("a new language comes with its items", async () => {
  const { platform, client, seen, serveItems } = await setUp();
  void client.setLanguage("de");
  await platform.advance(0);
  platform.serve({ status: 200, text: content(1, "de") });
  await platform.advance(0);
  expect(seen).toEqual([]);

  await serveItems(1, "eins", "de");

  expect(seen).toEqual(["content: de 1, eins", "items: de 1, eins"]);
});
