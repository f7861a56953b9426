/** Tabs of one browser: one connection, the same content everywhere. */

import { expect, test } from "vitest";
import { createLivery, type LiveryClient, type LiveryOptions } from "../src/index.js";
import { FakeBrowser, FakePlatform } from "./fake-platform.js";

const body = (release: number, title: string) =>
  JSON.stringify({
    projectId: "prj_test",
    version: `e1.${release}`,
    release,
    language: "en",
    languages: ["en"],
    texts: { home: { title } },
    colors: {},
    images: {},
    stores: {},
  });
const hello = (release: number) => `event: hello\ndata: {"version":"e1.${release}","release":${release}}\n\n`;
const patch = (from: number, title: string) =>
  `event: release\ndata: ${JSON.stringify({
    from: `e1.${from}`,
    version: `e1.${from + 1}`,
    release: from + 1,
    patch: { texts: { home: { title } } },
  })}\n\n`;

class Tab {
  readonly platform: FakePlatform;
  readonly client: LiveryClient;
  constructor(browser: FakeBrowser, withTabs = true, more: Partial<LiveryOptions> = {}) {
    this.platform = new FakePlatform(0.5, browser, withTabs);
    const options = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en" };
    this.client = createLivery({ ...options, ...more }, this.platform);
  }
  async goLive(release: number, title: string): Promise<void> {
    this.platform.serve({ status: 200, text: body(release, title) });
    await this.platform.advance(2_000);
    await this.say(hello(release));
  }
  async say(text: string): Promise<void> {
    if (this.platform.waitsForStream) this.platform.answerStream();
    await this.platform.advance(0);
    this.platform.streams.at(-1)?.push(new TextEncoder().encode(text));
    await this.platform.advance(0);
  }
}

test("only one of two tabs connects, and both show every release", async () => {
  const browser = new FakeBrowser();
  const leader = new Tab(browser);
  await leader.goLive(1, "one");
  const follower = new Tab(browser);
  await follower.platform.advance(10_000);

  await leader.say(patch(1, "two"));
  await follower.platform.advance(0);

  expect(leader.client.t("home.title")).toBe("two");
  expect(follower.client.t("home.title")).toBe("two");
  expect(follower.client.state).toBe("live");
  expect(follower.platform.requests).toHaveLength(0);
});

test("when the leader closes, another tab takes over within two seconds and loses nothing", async () => {
  const browser = new FakeBrowser();
  const leader = new Tab(browser);
  await leader.goLive(1, "one");
  const follower = new Tab(browser);
  await follower.platform.advance(1_000);

  leader.client.close();
  await follower.goLive(2, "two");
  await follower.say(patch(2, "three"));

  expect(follower.client.t("home.title")).toBe("three");
  expect(follower.client.state).toBe("live");
});

test("a leader that is hidden for a minute hands over to a tab that is seen", async () => {
  const browser = new FakeBrowser();
  const hidden = new Tab(browser);
  await hidden.goLive(1, "one");
  const seen = new Tab(browser);
  await seen.platform.advance(0);

  hidden.platform.emit("hidden");
  await hidden.platform.advance(60_000);
  await seen.goLive(1, "one");

  expect(seen.client.state).toBe("live");
  expect(hidden.platform.streams[0]?.signal.aborted).toBe(true);
});

test("a hidden tab that comes back shows what the leader has, without a request of its own", async () => {
  const browser = new FakeBrowser();
  const leader = new Tab(browser);
  await leader.goLive(1, "one");
  const other = new Tab(browser);
  other.platform.emit("hidden");
  await other.platform.advance(100_000);
  await leader.say(patch(1, "two"));
  await leader.say(": still here\n");

  other.platform.emit("visible");
  await other.platform.advance(0);

  expect(other.client.t("home.title")).toBe("two");
  expect(other.platform.requests).toHaveLength(0);
});

test("a tab whose leader does not answer asks for itself", async () => {
  const browser = new FakeBrowser();
  browser.lock("livery:https://livery.test:prj_test:en", new AbortController().signal, () => {});
  const tab = new Tab(browser);
  tab.platform.serve({ status: 200, text: body(1, "one") });

  await tab.platform.advance(3_000);

  expect(tab.client.t("home.title")).toBe("one");
});

test("without locks each tab connects", async () => {
  const browser = new FakeBrowser();
  const tabs = [new Tab(browser, false), new Tab(browser, false)];
  for (const tab of tabs) await tab.goLive(1, "one");

  expect(tabs.map((tab) => tab.client.state)).toEqual(["live", "live"]);
});

test("a tab that shows another language has a connection of its own", async () => {
  const browser = new FakeBrowser();
  const leader = new Tab(browser);
  await leader.goLive(1, "one");
  const other = new Tab(browser);
  await other.platform.advance(0);

  void other.client.setLanguage("de");
  await other.platform.advance(0);

  expect(other.platform.requests.map((request) => request.query.get("lang"))).toEqual(["de"]);
});

test("a tab that becomes the leader while offline waits for the network", async () => {
  const browser = new FakeBrowser();
  const leader = new Tab(browser);
  await leader.goLive(1, "one");
  const follower = new Tab(browser);
  await follower.platform.advance(0);
  follower.platform.emit("offline");

  leader.client.close();
  await follower.platform.advance(60_000);
  expect(follower.platform.requests).toHaveLength(0);

  follower.platform.emit("online");
  await follower.platform.advance(2_000);
  expect(follower.platform.requests).toHaveLength(1);
});

test("a tab that shows a draft keeps it to itself, and leads nobody", async () => {
  const browser = new FakeBrowser();
  const preview = new Tab(browser, true, { preview: "lvd_test" });
  await preview.goLive(9, "draft");
  const other = new Tab(browser);
  await other.goLive(1, "released");

  await preview.say(patch(9, "edited"));
  await other.platform.advance(0);

  expect([preview.client.t("home.title"), other.client.t("home.title")]).toEqual(["edited", "released"]);
  expect(other.client.state).toBe("live");
  preview.client.close();
  other.client.close();
});

test("a page that is left holds nothing that keeps it from the back-forward cache, and is current again when it is back", async () => {
  const browser = new FakeBrowser();
  const tab = new Tab(browser);
  await tab.goLive(1, "one");
  const other = new Tab(browser);
  await other.platform.advance(0);
  expect(browser.openChannels).toBe(2);

  tab.platform.emit("left");
  await tab.platform.advance(0);

  expect(browser.openChannels).toBe(1);
  expect(tab.platform.streams.at(-1)?.signal.aborted).toBe(true);
  expect(tab.platform.timers).toBe(0);
  expect(tab.client.state).toBe("cached");
  other.platform.serve({ status: 200, text: body(2, "two") });
  await other.platform.advance(2_000);
  expect(other.client.t("home.title")).toBe("two");

  tab.platform.emit("visible");
  await tab.platform.advance(0);
  await other.platform.advance(0);
  await tab.platform.advance(0);

  expect(browser.openChannels).toBe(2);
  expect(tab.client.t("home.title")).toBe("two");
});

test("a page without other tabs connects again when it is back", async () => {
  const tab = new Tab(new FakeBrowser(), false);
  await tab.goLive(1, "one");

  tab.platform.emit("left");
  await tab.platform.advance(120_000);
  expect(tab.platform.requests).toHaveLength(2);
  tab.platform.emit("visible");
  tab.platform.serve({ status: 200, text: body(2, "two") });
  await tab.platform.advance(2_000);

  expect(tab.client.t("home.title")).toBe("two");
});
