/** Content held across the requests of a server that renders pages. */

import { expect, test } from "vitest";
import { formatIcuMessage } from "../src/adapters.js";
import type { LiveryClient } from "../src/index.js";
import { createServerLivery, type ServerLiveryOptions } from "../src/server.js";
import { FakePlatform, settled } from "./fake-platform.js";

function content(release: number, title: string, language = "en"): string {
  const head = { projectId: "prj_test", version: `e1.${release}`, release, language, languages: ["en", "de"] };
  return JSON.stringify({ ...head, texts: { home: { title } }, colors: {}, images: {}, stores: {} });
}

function setUp(options: Partial<ServerLiveryOptions> = {}) {
  const platform = new FakePlatform(0.5);
  const base = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test/" };
  return { platform, livery: createServerLivery({ ...base, ...options }, platform) };
}

/** What a call has resolved to by now. */
async function now(call: Promise<LiveryClient>): Promise<string | undefined> {
  let title: string | undefined;
  void call.then((client) => (title = client.t("home.title", "default")));
  await settled();
  return title;
}

test("the first request waits for content, and later requests show it at once", async () => {
  const { livery, platform } = setUp();
  const first = livery.client("en");
  expect(await now(first)).toBeUndefined();

  platform.serve({ status: 200, text: content(1, "one"), headers: { etag: '"a"' } });

  expect(await now(first)).toBe("one");
  expect(await now(livery.client("en"))).toBe("one");
  expect((await first).snapshot?.version).toBe("e1.1");
  expect(platform.requests).toHaveLength(1);
});

test("texts are formatted as the options have it", async () => {
  const { livery, platform } = setUp({ format: formatIcuMessage, timeZone: "Asia/Tokyo" });
  const first = livery.client("en");
  platform.serve({ status: 200, text: content(1, "'{at}' {at, time, short}") });

  expect((await first).t("home.title", { at: "2026-03-07T03:30:00Z" })).toMatch(/^\{at\} 12:30\sPM$/);
});

test("old content shows at once, and the next request shows the release that was fetched behind", async () => {
  const { livery, platform } = setUp();
  platform.serve({ status: 200, text: content(1, "one"), headers: { etag: '"a"' } });
  expect(await now(livery.client("en"))).toBe("one");
  await platform.advance(10_000);

  expect(await now(livery.client("en"))).toBe("one");
  expect(platform.requests.at(-1)?.headers["if-none-match"]).toBe('"a"');
  expect(await now(livery.client("en"))).toBe("one");
  expect(platform.requests).toHaveLength(2);
  platform.serve({ status: 200, text: content(2, "two") });
  await settled();

  expect(await now(livery.client("en"))).toBe("two");
});

test("while Livery is down, content at hand shows at once and the pause between attempts grows", async () => {
  const { livery, platform } = setUp();
  platform.serve({ status: 200, text: content(1, "one") });
  expect(await now(livery.client("en"))).toBe("one");
  platform.setNet("down");
  await platform.advance(10_000);

  for (let second = 0; second < 60; second++) {
    expect(await now(livery.client("en"))).toBe("one");
    await platform.advance(1_000);
  }

  expect(platform.requests.length).toBeLessThan(9);
  expect(platform.warnings).toHaveLength(1);
  expect(platform.timers).toBe(0);
});

test("without any content only the first request is delayed, at most as long as it allows", async () => {
  const { livery, platform } = setUp({ fallback: { texts: { home: { title: "bundled" } } } });
  platform.setNet("hang");
  const first = livery.client("en", { timeout: 300 });
  await platform.advance(299);
  expect(await now(first)).toBeUndefined();
  await platform.advance(1);

  expect(await now(first)).toBe("bundled");
  expect(await now(livery.client("en"))).toBe("bundled");
  expect(platform.requests).toHaveLength(1);
});

test("a server that refuses connections costs no time", async () => {
  const { livery, platform } = setUp();
  platform.setNet("down");

  expect(await now(livery.client("en"))).toBe("default");
});

test("each language has its content", async () => {
  const { livery, platform } = setUp();
  platform.serve({ status: 200, text: content(1, "one") });
  expect(await now(livery.client("en"))).toBe("one");
  platform.serve({ status: 200, text: content(1, "eins", "de") });

  expect(await now(livery.client("de"))).toBe("eins");
  expect(platform.requests.map(({ query }) => query.get("lang"))).toEqual(["en", "de"]);
});

test("an answer that is no content leaves the content at hand", async () => {
  const { livery, platform } = setUp({ maxAge: 0 });
  platform.serve({ status: 200, text: content(2, "two") });
  expect(await now(livery.client("en"))).toBe("two");

  for (const text of ["<html>", content(1, "one"), "{}"]) {
    platform.serve({ status: 200, text });
    await platform.advance(60_000);
    expect(await now(livery.client("en"))).toBe("two");
    expect(await now(livery.client("en"))).toBe("two");
  }
  expect(platform.warnings.length).toBeGreaterThan(0);
});

test("close ends the request under way", async () => {
  const { livery, platform } = setUp();
  const waiting = livery.client("en");
  await settled();
  livery.close();

  expect(await now(waiting)).toBe("default");
  expect(platform.requests[0]?.signal.aborted).toBe(true);
  expect(await now(livery.client("en"))).toBe("default");
  expect(platform.timers).toBe(0);
  expect(platform.warnings).toEqual([]);
});
