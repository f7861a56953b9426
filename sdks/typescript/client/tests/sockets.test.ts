/** The client with its real platform against a real server. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPlatform } from "../src/browser.js";
import { withNetwork } from "../src/browser-network.js";
import { createLivery, type LiveryClient, type LiveryOptions } from "../src/index.js";
import type { Platform } from "../src/platform.js";
import { PROJECT, TestServer } from "./test-server.js";
import { until } from "./until.js";

let server: TestServer;
let clients: LiveryClient[];

beforeEach(async () => {
  server = await new TestServer().start();
  clients = [];
});

afterEach(async () => {
  vi.unstubAllGlobals();
  for (const client of clients) client.close();
  await server.stop();
});

function open(options: Partial<LiveryOptions> = {}, platform?: Platform): LiveryClient {
  const all = { projectId: PROJECT, key: "lvp_test", baseUrl: server.baseUrl, language: "en", ...options };
  const client = createLivery(all, platform);
  clients.push(client);
  return client;
}

test("a publish reaches the listener as a patch, without another request", async () => {
  const client = open();
  await until(client, () => client.state === "live");
  expect(client.t("home.title")).toBe("Hello");

  server.publish({ home: { title: "Good morning" } });
  await until(client, () => client.version === "e1.2");

  expect(client.t("home.title")).toBe("Good morning");
  expect(server.requests.map((request) => request.url)).toEqual([
    `/sdk/v1/${PROJECT}/content?lang=en`,
    `/sdk/v1/${PROJECT}/stream?lang=en&since=e1.1`,
  ]);
});

test("an event that arrives in single bytes is read whole", async () => {
  const client = open();
  await until(client, () => client.state === "live");

  server.publish({ home: { title: "こんにちは 👋" } }, (stream, event) => {
    stream.socket?.setNoDelay(true);
    for (const byte of event) stream.write(Uint8Array.of(byte));
  });
  await until(client, () => client.version === "e1.2");

  expect(client.t("home.title")).toBe("こんにちは 👋");
});

test("after a goodbye the client resumes where it was and gets what it missed", async () => {
  const client = open();
  await until(client, () => client.state === "live");

  server.endStreams(0);
  server.publish({ home: { title: "Missed" } });
  await until(client, () => client.version === "e1.2");

  expect(client.t("home.title")).toBe("Missed");
  expect(server.requests.at(-1)?.headers["last-event-id"]).toBe("e1.1");
  expect(server.requests.filter((request) => request.url?.includes("/content"))).toHaveLength(1);
});

test("what is on the device is asked for with its ETag", async () => {
  const records = new Map<string, string>();
  const storage = {
    get: (key: string) => records.get(key) ?? null,
    set: (key: string, value: string) => void records.set(key, value),
    remove: (key: string) => void records.delete(key),
    keys: () => [...records.keys()],
  };
  const first = open({ connection: "once" }, { ...withNetwork(createPlatform()), storage });
  expect(await first.waitForLatest({ timeout: 5000 })).toBe(true);
  first.close();

  const second = open({ connection: "once" }, { ...withNetwork(createPlatform()), storage });
  expect(second.t("home.title")).toBe("Hello");
  expect(second.state).toBe("cached");
  expect(await second.waitForLatest({ timeout: 5000 })).toBe(true);

  expect(server.requests.at(-1)?.headers["if-none-match"]).toBe('"e1.1-en"');
});

test("the key travels in a header and never in an address", async () => {
  const client = open();
  await until(client, () => client.state === "live");

  for (const request of server.requests) {
    expect(request.headers.authorization).toBe("Bearer lvp_test");
    expect(request.url).not.toContain("lvp_");
  }
});

test("close ends the connection", async () => {
  const client = open();
  await until(client, () => client.state === "live");
  expect(server.openStreams).toBe(1);

  client.close();

  await server.until(() => server.openStreams === 0);
  expect(client.t("home.title")).toBe("Hello");
});

test("without a server everything resolves and the bundle shows", async () => {
  const { baseUrl } = server;
  await server.stop();
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const client = open({ baseUrl, fallback: { texts: { home: { title: "Bundled" } } }, onWarning });

  await client.ready();
  expect(await client.waitForLatest({ timeout: 50 })).toBe(false);

  expect(client.t("home.title")).toBe("Bundled");
  expect(client.state).toBe("fallback");
  await vi.waitFor(() => expect(warnings).toHaveLength(1), { timeout: 10_000 }); // on a busy machine the refusal takes longer
  expect(warnings[0]).toContain(`no content from ${baseUrl}: TypeError: fetch failed (Error: connect ECONNREFUSED`);
  await server.start();
});

test("a wrong key leaves the client with what it has", async () => {
  const warnings: string[] = [];
  const client = open({ key: "lvp_wrong", onWarning: (message) => warnings.push(message) });

  await client.ready();

  expect(client.state).toBe("empty");
  expect(client.t("home.title", "Default")).toBe("Default");
  expect(warnings.join()).toContain('401 ("This key is unknown or has ended.")');
  expect(warnings.join()).not.toContain("lvp_wrong");
});

test("a fetch without streams gives content, one warning, and no request for a stream", async () => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const answer = await real(...request);
    // As in React Native, whose answers have neither `body` nor a working `arrayBuffer()`.
    return { status: answer.status, headers: answer.headers, text: () => answer.text() };
  });
  const warnings: string[] = [];
  const client = open({ onWarning: (message) => warnings.push(message) });

  await until(client, () => client.state === "polling");

  expect(client.t("home.title")).toBe("Hello");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("this fetch can't stream, so a release shows within about a minute");
  expect(server.requests.filter(({ url }) => url?.includes("/stream"))).toEqual([]);
});
