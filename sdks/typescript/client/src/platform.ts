/** All that the core needs from its surroundings. Tests give their own platform, `browser.ts` the real platform. */

export type Cancel = () => void;

export interface HttpAnswer {
  readonly status: number;
  /** Header by lower-case name; null where absent or hidden by CORS. */
  header(name: string): string | null;
  /** True where the platform gives bodies only as a whole, so no stream can be held. */
  readonly isWhole?: boolean;
  /** The body in pieces; ends early with an error when the request is aborted. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface KeyValueStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

/** `left`: the page is left, and may come back from the back-forward cache with `visible`. */
export type Lifecycle = "visible" | "hidden" | "online" | "offline" | "left";

export interface Channel {
  post(message: unknown): void;
  close(): void;
}

/** Draft previews of a page. */
export interface Preview {
  /** The token of a preview link: from the page's address, or kept in this tab for the project. */
  token(projectId: string): string | null;
}

/** Loads parts of this package. A call may reject; the part is then asked for again. */
export interface Parts {
  network(): Promise<typeof import("./network.js")>;
  stores(): Promise<typeof import("./stores.js")>;
  preview(): Promise<typeof import("./preview.js")>;
}

/** What reading and waiting need: there from the start. */
export interface Surroundings {
  after(milliseconds: number, run: () => void): Cancel;
  /** 0 ≤ n < 1 */
  random(): number;
  /** Every call may throw (quota, private mode, sandboxed frame). Undefined: nothing is kept. */
  readonly storage: KeyValueStore | undefined;
  warn(message: string): void;
  onLifecycle(listener: (event: Lifecycle) => void): Cancel;
  /** Undefined where nobody looks at a page. */
  readonly preview?: Preview | undefined;
  /** Undefined: `import()` loads them. */
  readonly parts?: Parts | undefined;
}

/** What a connection needs besides. */
export interface Network {
  fetch(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer>;
  /** Monotonic milliseconds: the only clock that intervals are measured by. */
  now(): number;
  /** The device's idea of the time: for display, and to carry a server's `Retry-After` over a reload. */
  wallClock(): number;
  visible(): boolean;
  /** SHA-256 in hexadecimal digits. Undefined where the platform has no hash, as on pages without TLS. */
  readonly digest?: ((bytes: Uint8Array<ArrayBuffer>) => Promise<string>) | undefined;
  /** Holds the named lock of this origin from the moment `held` is called until `signal` aborts. Undefined: no locks here. */
  readonly lock: ((name: string, signal: AbortSignal, held: () => void) => void) | undefined;
  readonly channel: ((name: string, listener: (message: unknown) => void) => Channel) | undefined;
}

/** What the client needs of a browser, a device or a test: clock, storage, events and network. */
export interface Platform extends Surroundings, Network {}
