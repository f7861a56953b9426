/** The client: what is held and what is shown, its listeners, and the session that keeps it up to date. */

import { attempt } from "./attempt.js";
import { ContentCache, type Kept } from "./cache.js";
import type { Outcome, Patch } from "./connection.js";
import { patchContent, readBody, readContent, remember, sameContent, shareStructure } from "./content.js";
import type { Cancel, Platform } from "./platform.js";
import { Readers } from "./reader.js";
import type { Endpoint } from "./requests.js";
import { Session, type SessionHolder } from "./session.js";
import { Store } from "./stores.js";
import type {
  LiveryChange,
  LiveryClient,
  LiveryContent,
  LiveryListener,
  LiveryOptions,
  LiveryReader,
  LiveryState,
  LiveryStore,
  StoreItem,
  StoreKey,
} from "./types.js";
import { order } from "./version.js";

interface Held extends Kept {
  etag: string | undefined;
  readonly isBundle: boolean;
}

interface Shown {
  readonly content: LiveryContent;
  readonly isBundle: boolean;
  /** The language that this content was asked for as; undefined if it only fills in for the content on its way. */
  readonly answers: string | undefined;
}

const READY_MS = 5_000;
const SWITCH_MS = 10_000;
const MAX_LATEST_MS = 5_000;
const MAX_WARNINGS = 1_000;

export class Client implements LiveryClient {
  readonly #platform: Platform;
  readonly #options: LiveryOptions;
  readonly #baseUrl: string;
  #cache: ContentCache;
  readonly #readers: Readers;
  readonly #bundles: readonly LiveryContent[];
  readonly #memory = new Map<string, Held>();
  readonly #listeners = new Set<LiveryListener>();
  readonly #stateListeners = new Set<() => void>();
  readonly #warned = new Set<string>();
  readonly #stores = new Map<string, Store>();
  readonly #readyWaiters = new Set<() => void>();
  readonly #latestWaiters = new Set<(isLatest: boolean) => void>();
  readonly #switchWaiters = new Set<(isShown: boolean) => void>();
  #preview: string | undefined;
  #requested: string;
  #latest: Held | undefined;
  #shown: Shown | undefined;
  #reader: LiveryReader;
  #session: Session | undefined;
  #isFresh = false;
  #isReady = false;
  #isClosed = false;
  #lastState = "";
  readonly #warn = (id: string, message: string): void => {
    if (this.#warned.has(id) || this.#warned.size >= MAX_WARNINGS) return;
    this.#warned.add(id);
    // Reading a value must not fail because its warning could not be given.
    attempt(() => (this.#options.onWarning ?? this.#platform.warn)(`[livery] ${message}`));
  };

  constructor(options: LiveryOptions, platform: Platform) {
    checkOptions(options);
    this.#platform = platform;
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
    const { projectId, preview = platform.preview?.token(projectId), connection } = options;
    if (connection !== "off") this.#preview = preview || undefined;
    this.#cache = this.#openCache();
    this.#bundles = readBundles(options, this.#warn);
    this.#readers = new Readers(this.#baseUrl, this.#warn);
    this.#requested = options.language ?? "";
    this.#reader = this.reader(undefined);
    this.#load();
    const [standIn] = this.#bundles;
    if (!this.#shown && standIn) this.#show(standIn, true, undefined);
    if (this.#shown || options.connection === "off") this.#becomeReady();
    this.#lastState = this.#stateKey();
    this.#connect();
    if (this.#preview) platform.preview?.start(this, projectId, this.#preview);
  }

  // --- reading -------------------------------------------------------------------------------------------------------

  // Bound, so that `const { t } = client` works.
  readonly t: LiveryReader["t"] = ((...args: Parameters<LiveryReader["t"]>) =>
    this.#reader.t(...args)) as LiveryReader["t"];
  readonly color: LiveryReader["color"] = ((key: never, fallback: string) =>
    this.#reader.color(key, fallback)) as LiveryReader["color"];
  readonly colors = () => this.#reader.colors();
  readonly image: LiveryReader["image"] = (key) => this.#reader.image(key);

  get language(): string {
    return this.#reader.language;
  }

  get languages(): readonly string[] {
    return this.#reader.languages;
  }

  get direction(): "ltr" | "rtl" {
    return this.#reader.direction;
  }

  get version(): string | undefined {
    return this.#reader.version;
  }

  get snapshot(): LiveryContent | undefined {
    return this.#shown?.content;
  }

  get requestedLanguage(): string {
    return this.#requested;
  }

  get pending(): boolean {
    return this.#latest !== undefined && this.#latest.content !== this.#shown?.content;
  }

  get preview(): boolean {
    return this.#preview !== undefined;
  }

  get state(): LiveryState {
    if (this.#isClosed) return "closed";
    if (!this.#shown) return "empty";
    const status = this.#session?.status ?? "down";
    if (status !== "down") return status;
    return this.#shown.isBundle ? "fallback" : "cached";
  }

  reader(content: LiveryContent | undefined): LiveryReader {
    return this.#read(content && readContent(content));
  }

  store<Key extends StoreKey>(name: Key): LiveryStore<StoreItem<Key>> {
    let store = this.#stores.get(name);
    if (!store) {
      store = new Store(
        name,
        {
          content: () => this.#shown?.content,
          ready: () => this.ready(),
          endpoint: (language) => (this.#isClosed ? undefined : this.#endpoint(language)),
          tell: (listeners) => this.#tell(listeners, (listener) => listener()),
          warn: this.#warn,
        },
        () => this.#platform.random(),
      );
      this.#stores.set(name, store);
    }
    return store as unknown as LiveryStore<StoreItem<Key>>;
  }

  // --- listening and waiting -----------------------------------------------------------------------------------------

  readonly subscribe = (listener: LiveryListener): (() => void) => subscribeTo(this.#listeners, listener);

  readonly subscribeState = (listener: () => void): (() => void) => subscribeTo(this.#stateListeners, listener);

  ready(): Promise<void> {
    if (this.#isReady || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#platform.after(READY_MS, () => this.#becomeReady());
      this.#readyWaiters.add(() => {
        cancel();
        resolve();
      });
    });
  }

  waitForLatest({ timeout = 2_000 }: { timeout?: number } = {}): Promise<boolean> {
    if (this.#isFresh) return Promise.resolve(true);
    if (this.#isClosed || !this.#session) return Promise.resolve(false);
    return this.#wait(this.#latestWaiters, Math.min(Math.max(Number(timeout) || 0, 0), MAX_LATEST_MS));
  }

  readonly setLanguage = (language: string): Promise<boolean> => {
    if (this.#isClosed || typeof language !== "string") return Promise.resolve(false);
    if (language !== this.#requested) this.#open(language);
    if (this.#shown?.answers === this.#requested) return Promise.resolve(true);
    if (!this.#session) return Promise.resolve(false);
    return this.#wait(this.#switchWaiters, SWITCH_MS);
  };

  activate(): boolean {
    if (!this.#latest || !this.pending) return false;
    this.#show(this.#latest.content, this.#latest.isBundle, this.#requested);
    this.#stateMayHaveChanged();
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isFresh = false;
    this.#session?.close();
    this.#session = undefined;
    this.#becomeReady();
    settle(this.#latestWaiters, false);
    settle(this.#switchWaiters, false);
    this.#stateMayHaveChanged();
    for (const store of this.#stores.values()) store.close();
    this.#listeners.clear();
    this.#stateListeners.clear();
  }

  readonly endPreview = (): void => {
    if (!this.#preview || this.#isClosed) return;
    this.#preview = undefined;
    this.#cache = this.#openCache();
    this.#memory.clear();
    // The draft stays until the release is here, and gives way to it in manual mode too.
    if (this.#shown) this.#shown = { ...this.#shown, answers: undefined };
    this.#open(this.#requested);
  };

  // --- holding and showing -------------------------------------------------------------------------------------------

  /** Nothing of a draft stays on the device. */
  #openCache(): ContentCache {
    const { cache, projectId } = this.#options;
    return new ContentCache(this.#platform, this.#baseUrl, projectId, this.#warn, cache !== false && !this.#preview);
  }

  #open(language: string): void {
    settle(this.#switchWaiters, false);
    this.#session?.close();
    this.#session = undefined;
    this.#isFresh = false;
    this.#requested = language;
    this.#latest = undefined;
    this.#load();
    this.#connect();
    this.#stateMayHaveChanged();
  }

  /** Takes the requested language from memory, device or bundle: the newest that can be compared, else in this order. */
  #load(): void {
    const language = this.#requested;
    const kept = this.#memory.get(language) ?? this.#cache.load(language);
    const bundle = this.#bundles.find((one) => language === "" || !one.language || one.language === language);
    if (kept && order(kept.content.version, bundle?.version) !== "newer") {
      this.#latest = { ...kept, isBundle: false };
    } else if (bundle) this.#latest = { content: bundle, etag: undefined, isBundle: true };
    if (this.#latest) this.#show(this.#latest.content, this.#latest.isBundle, language);
  }

  #apply(content: LiveryContent, etag: string | undefined, isStoredAlready = false): void {
    const language = this.#requested;
    const held: Held = { content: shareStructure(this.#latest?.content, content), etag: undefined, isBundle: false };
    this.#latest = held;
    remember(this.#memory, language, held);
    if (!isStoredAlready) this.#cache.save(language, { content: held.content, etag });
    // Only now: an ETag without its content would earn a 304 for something that is not there.
    held.etag = etag;
    // Manual mode keeps what someone is looking at, but nobody is served by an empty page or the wrong language.
    const isAwaited = this.#shown?.answers !== language;
    if (this.#options.mode !== "manual" || isAwaited || this.#preview) this.#show(held.content, false, language);
    this.#becomeReady();
    this.#stateMayHaveChanged();
  }

  #show(content: LiveryContent, isBundle: boolean, answers: string | undefined): void {
    this.#shown = { content, isBundle, answers };
    this.#reader = this.#read(content);
    const change: LiveryChange = { version: content.version, language: this.#reader.language };
    this.#tell(this.#listeners, (listener) => listener(change));
    for (const store of this.#stores.values()) store.contentChanged();
    if (answers === this.#requested) settle(this.#switchWaiters, true);
  }

  /** Over the bundle of the content's own language, else the first. */
  #read(content: LiveryContent | undefined): LiveryReader {
    const language = content?.language || this.#requested;
    const bundle = this.#bundles.find((one) => one.language === language) ?? this.#bundles[0];
    return this.#readers.of(content, bundle, this.#requested);
  }

  #connect(): void {
    const { connection = "stream" } = this.#options;
    const endpoint = this.#endpoint(this.#requested);
    if (!endpoint || connection === "off" || this.#isClosed) return;
    this.#session = new Session(endpoint, this.#holder(), connection);
  }

  #endpoint(language: string): Endpoint | undefined {
    const { connection, projectId, key } = this.#options;
    if (connection === "off") return undefined;
    return { platform: this.#platform, baseUrl: this.#baseUrl, projectId, key, language, preview: this.#preview };
  }

  #holder(): SessionHolder {
    return {
      current: () => this.#latest,
      position: () => ({ version: this.#latest?.content.version, etag: this.#latest?.etag }),
      takeBody: (body, etag) => this.#takeBody(body, etag),
      takePatch: (patch) => this.#takePatch(patch),
      takeFromTab: (content, etag) => {
        const standing = order(this.#latest?.content.version, content.version);
        if (standing === "newer" || standing === "foreign" || this.#latest?.isBundle) this.#apply(content, etag, true);
      },
      confirmed: () => {
        this.#isFresh = true;
        settle(this.#latestWaiters, true);
      },
      attempted: () => this.#becomeReady(),
      statusChanged: () => {
        if (this.#session?.status === "down") this.#isFresh = false;
        this.#stateMayHaveChanged();
      },
      refused: this.endPreview,
      hold: () => this.#cache.hold(),
      setHold: (milliseconds) => this.#cache.setHold(milliseconds),
      warn: this.#warn,
    };
  }

  #takeBody(body: unknown, etag: string | undefined): Outcome {
    const content = readBody(body, this.#options.projectId);
    if (!content) return "broken";
    const latest = this.#latest;
    const standing = order(latest?.content.version, content.version);
    if (standing === "older") return "ignored";
    if (standing === "same" && latest && sameContent(latest.content, content)) {
      if (latest.isBundle) this.#apply(content, etag);
      else if (latest.etag !== etag) {
        this.#cache.save(this.#requested, { content: latest.content, etag });
        latest.etag = etag;
      }
      return "ignored";
    }
    if (standing === "same") this.#warn("diverged", "content differed from the server's at the same version; replaced");
    this.#apply(content, etag);
    return "applied";
  }

  #takePatch({ from, version, patch, etag }: Patch): Outcome {
    const own = this.#latest?.content;
    const standing = order(own?.version, version);
    if (standing === "same" || standing === "older") return "ignored";
    if (!own || from !== own.version) return "mismatch";
    const next = patchContent(own, patch, version);
    if (!next) return "broken";
    this.#apply(next, etag);
    return "applied";
  }

  // --- listeners -----------------------------------------------------------------------------------------------------

  #becomeReady(): void {
    this.#isReady = true;
    for (const resolve of this.#readyWaiters) resolve();
    this.#readyWaiters.clear();
  }

  #stateKey(): string {
    return JSON.stringify([this.state, this.pending, this.#requested, this.preview]);
  }

  #stateMayHaveChanged(): void {
    const now = this.#stateKey();
    if (now === this.#lastState) return;
    this.#lastState = now;
    this.#tell(this.#stateListeners, (listener) => listener());
  }

  #tell<Listener>(listeners: ReadonlySet<Listener>, call: (listener: Listener) => void): void {
    for (const listener of [...listeners]) {
      try {
        call(listener);
      } catch (error) {
        this.#warn(`listener:${String(error)}`, `a listener failed: ${String(error)}`);
      }
    }
  }

  #wait(waiters: Set<(outcome: boolean) => void>, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => {};
      const waiter = (outcome: boolean) => {
        cancel();
        waiters.delete(waiter);
        resolve(outcome);
      };
      waiters.add(waiter);
      cancel = this.#platform.after(milliseconds, () => waiter(false));
    });
  }
}

function settle(waiters: Set<(outcome: boolean) => void>, outcome: boolean): void {
  for (const waiter of [...waiters]) waiter(outcome);
}

function subscribeTo<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** A mistake in the set-up is the one thing that throws: at once, where it was made. */
function checkOptions(options: LiveryOptions): void {
  if (!options.projectId) throw new TypeError("livery: projectId is missing");
  if (!options.key) throw new TypeError("livery: key is missing");
  if (options.key.startsWith("lvs_")) throw new TypeError("livery: the project secret must not be used in an app");
  if (typeof options.baseUrl !== "string") throw new TypeError("livery: baseUrl is missing");
}

function readBundles(options: LiveryOptions, warn: (id: string, message: string) => void): LiveryContent[] {
  const { fallback, projectId } = options;
  const bundles: LiveryContent[] = [];
  for (const one of Array.isArray(fallback) ? fallback : [fallback ?? undefined]) {
    const whole = readBody(one, projectId);
    const content = whole ?? readContent(one);
    if (!content) {
      if (one !== undefined) warn("bundle", "the fallback is no snapshot");
    } else if (whole || content.version === undefined) bundles.push(content);
    else {
      warn("bundle", "the fallback is of another project or not whole; used without its version");
      bundles.push({ ...content, version: undefined, release: 0 });
    }
  }
  return bundles;
}
