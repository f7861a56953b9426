/** A platform without a world: time, chance, network, storage and tabs are in the test's hand. */

// Loaded parts take no time that a test would have to wait for. `parts.test.ts` has the tests of loading.
import "../src/network.js";
import "../src/stores.js";
import type { HttpAnswer, KeyValueStore, Lifecycle, Platform } from "../src/platform.js";

export interface FakeRequest {
  readonly kind: "content" | "store" | "stream";
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  readonly at: number;
  readonly signal: AbortSignal;
  answered: boolean;
  answer(status: number, headers: Record<string, string>, body: AsyncIterable<Uint8Array>): void;
  fail(): void;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  text?: string;
}

/** The bytes of an open stream. */
export class FakeStream implements AsyncIterable<Uint8Array> {
  #pieces: Uint8Array[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #broken = false;
  constructor(readonly signal: AbortSignal) {
    signal.addEventListener("abort", () => this.break());
  }
  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#wake?.();
  }
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }
  break(): void {
    this.#broken = true;
    this.#wake?.();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#broken) throw new Error("connection broken");
      const piece = this.#pieces.shift();
      if (piece) yield piece;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** Tabs of one browser share storage, locks and channels. */
export class FakeBrowser {
  readonly records = new Map<string, string>();
  readonly #holders = new Map<string, Array<{ signal: AbortSignal; held: () => void }>>();
  readonly #channels = new Set<{ name: string; listener: (message: unknown) => void }>();

  get openChannels(): number {
    return this.#channels.size;
  }

  lock = (name: string, signal: AbortSignal, held: () => void): void => {
    const queue = this.#holders.get(name) ?? [];
    this.#holders.set(name, queue);
    const place = { signal, held };
    queue.push(place);
    signal.addEventListener("abort", () => {
      const wasFirst = queue[0] === place;
      queue.splice(queue.indexOf(place), 1);
      if (wasFirst) queue[0]?.held();
    });
    if (queue[0] === place) queueMicrotask(() => signal.aborted || held());
  };

  channel = (name: string, listener: (message: unknown) => void) => {
    const place = { name, listener };
    this.#channels.add(place);
    return {
      post: (message: unknown) => {
        for (const other of this.#channels) {
          if (other !== place && other.name === name) queueMicrotask(() => other.listener(structuredClone(message)));
        }
      },
      close: () => void this.#channels.delete(place),
    };
  };
}

export class FakePlatform implements Platform {
  readonly requests: FakeRequest[] = [];
  readonly warnings: string[] = [];
  readonly streams: FakeStream[] = [];
  net: "up" | "down" | "hang" = "up";
  storageMode: "ok" | "full" | "closed" = "ok";
  wallOffset = 1_700_000_000_000;
  isVisible = true;
  readonly #answers: Record<"content" | "store", Answer[]> = { content: [], store: [] };
  readonly #timers = new Set<{ at: number; order: number; run: () => void }>();
  readonly #lifecycle = new Set<(event: Lifecycle) => void>();
  #now = 0;
  #order = 0;
  readonly lock: Platform["lock"];
  readonly channel: Platform["channel"];
  readonly storage: KeyValueStore;

  constructor(
    readonly chance: number,
    readonly browser = new FakeBrowser(),
    withTabs = false,
  ) {
    this.lock = withTabs ? browser.lock : undefined;
    this.channel = withTabs ? browser.channel : undefined;
    const { records } = browser;
    const open = <Value>(value: () => Value): Value => {
      if (this.storageMode === "closed") throw new Error("SecurityError");
      return value();
    };
    this.storage = {
      get: (key) => open(() => records.get(key) ?? null),
      set: (key, value) =>
        open(() => {
          if (this.storageMode === "full") throw new Error("QuotaExceededError");
          records.set(key, value);
        }),
      remove: (key) => open(() => void records.delete(key)),
      keys: () => open(() => [...records.keys()]),
    };
  }

  /** The time, without a look at the clock. */
  get time(): number {
    return this.#now;
  }

  now = () => this.#now;
  wallClock = () => this.wallOffset + this.#now;
  random = () => this.chance;
  visible = () => this.isVisible;
  warn = (message: string) => void this.warnings.push(message);

  onLifecycle(listener: (event: Lifecycle) => void): () => void {
    this.#lifecycle.add(listener);
    return () => this.#lifecycle.delete(listener);
  }

  after(milliseconds: number, run: () => void): () => void {
    if (!(milliseconds >= 0)) throw new Error(`a timer of ${milliseconds} ms`);
    const timer = { at: this.#now + milliseconds, order: this.#order++, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  fetch(address: string, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer> {
    const url = new URL(address, "http://localhost");
    return new Promise((resolve, reject) => {
      const request: FakeRequest = {
        kind: url.pathname.endsWith("/stream") ? "stream" : url.pathname.includes("/stores/") ? "store" : "content",
        path: url.pathname,
        query: url.searchParams,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        at: this.#now,
        signal,
        answered: false,
        answer(status, given, body) {
          request.answered = true;
          resolve({ status, header: (name) => given[name] ?? null, body });
        },
        fail() {
          request.answered = true;
          reject(new TypeError("fetch failed"));
        },
      };
      this.requests.push(request);
      signal.addEventListener("abort", () => request.fail());
      if (this.net === "down") request.fail();
      else if (this.net === "up" && request.kind !== "stream") this.#serveNext(request.kind);
    });
  }

  /** Answers the pending content (or store) request, or the next request. */
  serve(answer: Answer, kind: "content" | "store" = "content"): void {
    this.#answers[kind].push(answer);
    this.#serveNext(kind);
  }

  #serveNext(kind: "content" | "store"): void {
    const request = this.#waiting(kind);
    const answer = request && this.#answers[kind].shift();
    if (!request || !answer) return;
    const stream = new FakeStream(request.signal);
    if (answer.text) stream.push(new TextEncoder().encode(answer.text));
    stream.end();
    request.answer(answer.status, answer.headers ?? {}, stream);
  }

  /** Answers the pending stream request; with 200 it stays open. */
  answerStream(
    status = 200,
    headers: Record<string, string> = { "content-type": "text/event-stream" },
    text = "",
  ): void {
    const request = this.#waiting("stream");
    if (!request) throw new Error("no stream request is pending");
    const stream = new FakeStream(request.signal);
    if (status === 200) this.streams.push(stream);
    else {
      stream.push(new TextEncoder().encode(text));
      stream.end();
    }
    request.answer(status, headers, stream);
  }

  get waitsForStream(): boolean {
    return this.#waiting("stream") !== undefined;
  }

  #waiting(kind: FakeRequest["kind"]): FakeRequest | undefined {
    return this.requests.find((request) => request.kind === kind && !request.answered);
  }

  setNet(net: "up" | "down" | "hang"): void {
    this.net = net;
    if (net !== "down") return;
    for (const request of this.requests) if (!request.answered) request.fail();
    for (const stream of this.streams) stream.break();
  }

  emit(event: Lifecycle): void {
    if (event === "visible" || event === "hidden") this.isVisible = event === "visible";
    for (const listener of [...this.#lifecycle]) listener(event);
  }

  /** Lets time pass, or as much of it as is needed until `isEnough`. */
  async advance(milliseconds: number, isEnough = () => false): Promise<void> {
    await settled();
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end);
      due.sort((one, other) => one.at - other.at || one.order - other.order);
      const [next] = due;
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settled();
      if (isEnough()) return;
    }
    this.#now = end;
    await settled();
  }
}

/** Lets every promise that can go on do so; a few turns, because a body is read piece by piece. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}
