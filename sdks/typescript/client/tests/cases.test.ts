/** Runs the shared cases of sdks/spec/cases: what every Livery SDK does, as data. */

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CacheWriter } from "../src/cache-writer.js";
import { readBody } from "../src/content.js";
import { createLivery, type LiveryClient, type LiveryOptions } from "../src/index.js";
import { formatMessage } from "../src/message.js";
import { mergePatch } from "../src/patches.js";
import { EventParser } from "../src/sse.js";
import { FakePlatform, type FakeRequest, settled } from "./fake-platform.js";

type Json = Record<string, unknown>;
type Step = Json & { expect?: Json[] };
interface Case {
  name: string;
  random?: number;
  options?: Partial<LiveryOptions>;
  bundle?: Json;
  cache?: Json & { language?: string; etag?: string; body: Json };
  steps?: Step[];
  expect?: Json[];
  is?: unknown;
  message?: { text: string; params?: Record<string, string | number | null>; language?: string };
  merge?: { target: unknown; patch: unknown };
  events?: { chunks?: string[]; bytes?: number[][]; every_byte?: string };
}

const PROJECT = "prj_test";
const BASE = "https://livery.test";

/** Cases write only what matters to them. */
function whole(body: Json, language = "en"): Json {
  const release = Number(String(body.version).split(".").pop());
  const rest = { languages: ["en", "de"], texts: {}, colors: {}, images: {}, stores: {} };
  return { projectId: PROJECT, release, language, ...rest, ...body };
}

/** The body that Livery has for a status of an error. */
function refusal(status: number): string {
  return status >= 400 ? JSON.stringify({ message: "It is refused.", code: "refused" }) : "";
}

class Run {
  readonly platform: FakePlatform;
  client: LiveryClient;
  changes = 0;
  /** What asking for all items gave: null for an error. */
  readonly answers = new Map<string, unknown>();

  constructor(
    readonly given: Case,
    random: number,
  ) {
    this.platform = new FakePlatform(random);
    const { cache } = given;
    if (cache) {
      const language = cache.language ?? given.options?.language ?? "en";
      const content = readBody(whole(cache.body, language), PROJECT);
      if (!content) throw new Error("the case's cache is no content");
      const { storage } = this.platform;
      const shelf = { storage, baseUrl: BASE, projectId: PROJECT, warn: () => {} };
      const writer = new CacheWriter(shelf, this.platform);
      writer.save(language, { content, etag: cache.etag });
      writer.flush();
      if (cache.damage) this.damage(language, cache.damage as Json);
    }
    this.client = this.create();
  }

  create(): LiveryClient {
    const bundle = this.given.bundle;
    const fallback = bundle?.version === undefined ? bundle : whole(bundle);
    const options = { projectId: PROJECT, key: "lvp_test", baseUrl: BASE, language: "en", fallback };
    const client = createLivery({ ...options, ...this.given.options } as LiveryOptions, this.platform);
    client.subscribe(() => this.changes++);
    return client;
  }

  damage(language: string, damage: Json): void {
    const { records } = this.platform.browser;
    const key = `livery:${PROJECT}:${language}`;
    const record = records.get(key) ?? "";
    const at = Math.floor(record.length * Number(damage.cut ?? damage.flip ?? 0));
    if ("cut" in damage) records.set(key, record.slice(0, at));
    else if ("flip" in damage) records.set(key, `${record.slice(0, at)}\u0001${record.slice(at + 1)}`);
    else if ("swap" in damage) records.set(key, record.replace(...(damage.swap as [string, string])));
    else records.set(key, String(damage.replace));
  }

  async step(step: Step): Promise<void> {
    const { platform } = this;
    for (const [name, value] of Object.entries(step)) {
      if (name === "serve") {
        const { status = 200, headers, body, text, pad_bytes = 0 } = value as Json;
        const content = body && ("patch" in (body as Json) ? body : whole(body as Json));
        const completed = content ? JSON.stringify(content) : refusal(status as number);
        const sent = ((text as string) ?? completed) + " ".repeat(pad_bytes as number);
        platform.serve({ status: status as number, headers: (headers ?? {}) as Record<string, string>, text: sent });
      } else if (name === "serve_page") {
        const { status = 200, body, text } = value as Json;
        const completed = body ? JSON.stringify(body) : refusal(status as number);
        platform.serve({ status: status as number, text: (text as string) ?? completed }, "store");
      } else if (name === "ask") {
        const { name: store } = this.client.store(value as string);
        this.answers.delete(store);
        this.client
          .store(store)
          .items()
          .then(
            (items) => this.answers.set(store, items),
            () => this.answers.set(store, null),
          );
      } else if (name === "watch") this.client.store(value as string).subscribe(() => this.changes++);
      else if (name === "stream") {
        if (platform.waitsForStream) platform.answerStream();
        await settled();
        for (const piece of [value].flat()) platform.streams.at(-1)?.push(new TextEncoder().encode(piece as string));
      } else if (name === "stream_answer") {
        const { status, headers, text } = value as { status: number; headers?: Record<string, string>; text?: string };
        platform.answerStream(status, headers ?? {}, text ?? refusal(status));
      } else if (name === "stream_end") platform.streams.at(-1)?.end();
      else if (name === "advance_ms") await platform.advance(value as number);
      else if (name === "wall_jump_ms") platform.wallOffset += value as number;
      else if (name === "net") platform.setNet(value as FakePlatform["net"]);
      else if (name === "visible") platform.emit(value ? "visible" : "hidden");
      else if (name === "online") platform.emit(value ? "online" : "offline");
      else if (name === "storage") platform.storageMode = value as FakePlatform["storageMode"];
      else if (name === "set_language") void this.client.setLanguage(value as string);
      else if (name === "activate") this.client.activate();
      else if (name === "end_preview") this.client.endPreview();
      else if (name === "restart") {
        this.client.close();
        this.client = this.create();
      } else if (name === "close") this.client.close();
      else if (name === "expect") for (const one of value as Json[]) await this.check(one);
      else throw new Error(`unknown step ${name}`);
      await platform.advance(0);
    }
  }

  async check(expected: Json): Promise<void> {
    const { client, platform } = this;
    const of = (kind: string) => platform.requests.filter((request) => request.kind === kind);
    const [name = "", value] = Object.entries(expected)[0] ?? [];
    const arguments_ = [value].flat() as [string, string];
    const where = JSON.stringify(expected);
    if (name === "text") expect(client.t(...arguments_), where).toBe(expected.is);
    else if (name === "color") expect(client.color(...arguments_) ?? null, where).toBe(expected.is);
    else if (name === "image") expect(client.image(value as string)?.url ?? null, where).toBe(expected.is);
    else if (name === "items") expect(client.store(value as string).current ?? null, where).toEqual(expected.is);
    else if (name === "answer") expect(this.answers.get(value as string) ?? null, where).toEqual(expected.is);
    else if (name === "colors") expect({ ...client.colors() }, where).toEqual(value);
    else if (name === "texts") expect(client.snapshot?.texts, where).toEqual(value);
    else if (name === "warnings") expect(platform.warnings, where).toHaveLength(value as number);
    else if (name === "changes") expect(this.changes, where).toBe(value);
    else if (name === "requests") {
      for (const [kind, count] of Object.entries(value as Json)) expect(of(kind), where).toHaveLength(count as number);
    } else if (name === "last_content" || name === "last_store" || name === "last_stream") {
      const request = of(name.slice(5)).at(-1) as FakeRequest;
      const { headers, query, path } = request;
      const asked = { store: path.split("/stores/")[1] ?? null, cursor: query.get("cursor") };
      const known = { since: query.get("since"), etag: headers["if-none-match"] ?? null };
      const draft = { channel: query.get("channel"), preview: query.get("preview") };
      const seen = { lang: query.get("lang"), ...draft, ...asked, ...known };
      expect({ ...seen, last_event_id: headers["last-event-id"] ?? null }, where).toMatchObject(value as Json);
    } else if (name === "next_delay_ms") {
      const [least, most] = value as [number, number];
      const count = () => of(expected.of as string).length;
      const before = count();
      const start = platform.now();
      await platform.advance(most + 1, () => count() > before);
      expect(count(), `${where}: nothing came`).toBeGreaterThan(before);
      expect(platform.now() - start, where).toBeGreaterThanOrEqual(least - 1);
    } else if (name === "stored") {
      const isContent = (key: string) => key.startsWith(`livery:${PROJECT}:`);
      expect([...platform.browser.records.keys()].filter(isContent), where).toHaveLength(value as number);
    } else if (["version", "state", "language", "direction", "pending", "preview"].includes(name)) {
      expect(client[name as "state"] ?? null, where).toBe(value);
    } else throw new Error(`unknown expectation ${name}`);
  }
}

function checkPure(given: Case): void {
  if (given.message) {
    const { text, params, language = "en" } = given.message;
    expect(formatMessage(text, params, language)).toBe(given.is);
  } else if (given.merge) expect(mergePatch(given.merge.target, given.merge.patch)).toEqual(given.is);
  else if (given.events) {
    const { chunks = [], bytes, every_byte } = given.events;
    const encode = (text: string) => new TextEncoder().encode(text);
    const pieces = bytes?.map((piece) => Uint8Array.from(piece)) ?? chunks.map(encode);
    if (every_byte !== undefined) pieces.push(...[...encode(every_byte)].map((byte) => Uint8Array.of(byte)));
    const parser = new EventParser();
    const events = pieces.flatMap((piece) => parser.feed(piece)).map(({ type, data }) => [type, data]);
    expect({ events, id: parser.lastId, retry: parser.retry ?? null }).toMatchObject(given.is as Json);
  }
}

const folder = new URL("../../../spec/cases/", import.meta.url);
for (const file of readdirSync(folder).sort()) {
  const { cases } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { cases: Case[] };
  describe(file, () => {
    for (const given of cases) {
      test(given.name, async () => {
        if ("is" in given) return checkPure(given);
        // Windows of time must hold at both ends of chance.
        for (const random of given.random === undefined ? [0.0002, 0.5, 0.999999] : [given.random]) {
          const run = new Run(given, random);
          await run.platform.advance(0);
          for (const step of [...(given.steps ?? []), { expect: given.expect ?? [] }]) await run.step(step);
          run.client.close();
          await settled();
          expect(run.platform.timers, "timers left after close").toBe(0);
        }
      });
    }
  });
}

test("an event of the largest size is taken, whatever came before it", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const largest = `data: ${"x".repeat(10 * 1024 * 1024 - 6)}`;
  const parser = new EventParser();
  parser.feed(bytes("data: before\n\n"));

  parser.feed(bytes(largest));

  expect(parser.feed(bytes("\n\n"))).toHaveLength(1);
  parser.feed(bytes(largest));
  expect(() => parser.feed(bytes("x"))).toThrow("event too large");
});
