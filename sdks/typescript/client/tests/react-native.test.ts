/** The client in the surroundings of React Native: its storage, its `fetch`, its app state, and its compiler. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { JSDOM } from "jsdom";
import { build, type Plugin } from "vite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLivery, type LiveryClient } from "../src/index.js";
import { openPlatform, type ReactNativeOptions } from "../src/react-native.js";
import { PROJECT, TestServer } from "./test-server.js";
import { until } from "./until.js";

/** Has the interface of `@react-native-async-storage/async-storage`. `isFull` makes each write fail. */
class DeviceStorage {
  readonly records = new Map<string, string>([["other", "of the app"]]);
  isFull = false;

  async getAllKeys(): Promise<readonly string[]> {
    return [...this.records.keys()];
  }
  async getItem(key: string): Promise<string | null> {
    return this.records.get(key) ?? null;
  }
  async setItem(key: string, value: string): Promise<void> {
    if (this.isFull) throw new Error("database or disk is full");
    this.records.set(key, value);
  }
  async removeItem(key: string): Promise<void> {
    this.records.delete(key);
  }
}

/** Has the interface of `AppState` of `react-native`. */
class App {
  currentState: string | null = "active";
  readonly listeners = new Set<(state: string) => void>();

  addEventListener(_event: "change", listener: (state: string) => void) {
    this.listeners.add(listener);
    return { remove: () => void this.listeners.delete(listener) };
  }
  become(state: string): void {
    this.currentState = state;
    for (const listener of this.listeners) listener(state);
  }
}

let server: TestServer;
let clients: LiveryClient[];

beforeEach(async () => {
  server = await new TestServer().start();
  clients = [];
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const client of clients) client.close();
  await server.stop();
});

async function open(options: ReactNativeOptions, connection: "stream" | "off" = "stream"): Promise<LiveryClient> {
  const platform = await openPlatform(options);
  const at = { projectId: PROJECT, key: "lvp_test", baseUrl: server.baseUrl, language: "en" };
  const client = createLivery({ ...at, connection, onWarning: (message) => warnings.push(message) }, platform);
  clients.push(client);
  return client;
}
const warnings: string[] = [];

test("what the device has is shown at once after a restart, and follows the releases", async () => {
  const storage = new DeviceStorage();
  const first = await open({ storage, fetch });
  await until(first, () => first.state === "live");
  server.publish({ home: { title: "Good morning" } });
  await until(first, () => first.t("home.title") === "Good morning");
  first.close();
  await vi.waitFor(() => expect([...storage.records.values()].join()).toContain("Good morning"));
  await server.stop();

  const second = await open({ storage }, "off");

  expect(second.t("home.title")).toBe("Good morning");
  expect(second.state).toBe("cached");
  expect(storage.records.get("other")).toBe("of the app");
});

test("a storage that is full or can't be read takes nothing from what is shown", async () => {
  const storage = Object.assign(new DeviceStorage(), { isFull: true });
  const full = await open({ storage });
  await until(full, () => full.state === "live");
  expect(full.t("home.title")).toBe("Hello");
  expect([...storage.records.keys()]).toEqual(["other"]);

  const reasons = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  storage.getAllKeys = async () => Promise.reject(new Error("no database"));
  const unreadable = await open({ storage });
  await until(unreadable, () => unreadable.state === "live");
  expect(unreadable.t("home.title")).toBe("Hello");
  expect(reasons.mock.calls).toEqual([["[livery] the device's storage can't be read (no database)"]]);
});

test("the fetch of React Native gives content, and one warning that names the remedy", async () => {
  // React Native's fetch is whatwg-fetch over its XMLHttpRequest.
  const page = new JSDOM("", { url: server.baseUrl }).window;
  vi.stubGlobal("XMLHttpRequest", page.XMLHttpRequest);
  const { fetch: nativeFetch } = await import("whatwg-fetch");
  vi.stubGlobal("fetch", nativeFetch);
  warnings.length = 0;

  const client = await open({});
  await until(client, () => client.state === "polling");

  expect(client.t("home.title")).toBe("Hello");
  expect(warnings.filter((one) => one.includes("can't stream"))).toHaveLength(1);
  expect(warnings.join()).toContain("expo/fetch");
  page.close();
});

test("an app in the background for a minute has no stream, and comes back when it is looked at", async () => {
  const appState = new App();
  const client = await open({ appState });
  await until(client, () => client.state === "live");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  appState.become("inactive");
  appState.become("background");
  await vi.advanceTimersByTimeAsync(61_000);
  expect(client.state).not.toBe("live");
  vi.useRealTimers();
  server.publish({ home: { title: "Welcome back" } });
  appState.become("active");
  await until(client, () => client.state === "live");

  expect(client.t("home.title")).toBe("Welcome back");
  client.close();
  expect(appState.listeners.size).toBe(0);
});

test("a network that is there again is used at once", async () => {
  let tell: (state: { isConnected: boolean | null }) => void = () => undefined;
  let stopped = 0;
  const netInfo = {
    addEventListener: (listener: typeof tell) => {
      tell = listener;
      return () => void stopped++;
    },
  };
  const { port } = new URL(server.baseUrl);
  await server.stop();
  const client = await open({ netInfo });
  await client.ready();
  expect(client.state).toBe("empty");
  server = await new TestServer().start(Number(port));

  tell({ isConnected: null });
  tell({ isConnected: false });
  tell({ isConnected: true });
  await until(client, () => client.state === "live");

  client.close();
  expect(stopped).toBe(1);
});

test("an engine that lacks something gets an error that names a polyfill", async () => {
  vi.stubGlobal("TextDecoder", undefined);

  await expect(openPlatform()).rejects.toThrow("this engine lacks TextDecoder. Import a polyfill");
});

test("an engine without rules of plurals shows the form for all other numbers", async () => {
  vi.stubGlobal("Intl", { NumberFormat: Intl.NumberFormat });
  const { formatMessage } = await import("../src/message.js");

  expect(formatMessage("{n, plural, =0 {none} one {# trip} other {# trips}}", { n: 1 }, "pl")).toBe("1 trips");
  expect(formatMessage("{n, plural, =0 {none} one {# trip} other {# trips}}", { n: 0 }, "pl")).toBe("none");
});

const HERMES = { linux: "linux64-bin/hermesc", darwin: "osx-bin/hermesc", win32: "win64-bin/hermesc.exe" };

const nameOf = (path: string) => basename(path, ".js");

/** Returns the errors that Hermes reports about a script. */
function compile(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "livery-hermes-"));
  const compiler = new URL(
    `../../../../node_modules/hermes-compiler/hermesc/${HERMES[process.platform as "linux"]}`,
    import.meta.url,
  );
  writeFileSync(join(folder, "app.js"), script);
  try {
    const options = ["-w", "-emit-binary", "-out", join(folder, "app.hbc"), join(folder, "app.js")];
    execFileSync(fileURLToPath(compiler), options, { stdio: "pipe", encoding: "utf8" });
    return "";
  } catch (error) {
    return String((error as { stderr?: string }).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Hermes compiles the client, with all its regular expressions", async () => {
  const entry = fileURLToPath(new URL("./react-native-app.ts", import.meta.url));
  // Metro reads the field "react-native", and turns the newest syntax into older syntax. It builds no `import()` without a literal.
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const replaced = new Map<string, string>(
    Object.entries(manifest["react-native"] as Record<string, string>).map(
      (pair) => pair.map(nameOf) as [string, string],
    ),
  );
  const metro: Plugin = {
    name: "metro",
    enforce: "pre",
    resolveId(source) {
      const name = replaced.get(nameOf(source));
      return name ? fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)) : undefined;
    },
  };
  const made = await build({
    configFile: false,
    plugins: [metro],
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      target: "es2017",
      lib: { entry, formats: ["iife"], name: "app" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output }] = made as { output: { code?: string }[] }[] as [{ output: [{ code: string }] }];

  expect(compile(output[0].code)).toBe("");
  expect(output[0].code).toContain("plural|selectordinal|select");
  expect(compile('import("./" + name);')).toContain("Invalid expression");
  expect(compile("const found = /[[a-z]--[b]]/v;")).toContain("Invalid regular expression");
});
