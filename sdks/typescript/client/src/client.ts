/** The client of an app: it shows the content that it holds, and calls listeners and waiters when that changes. */

import { attempt } from "./attempt.js";
import { readContent } from "./content.js";
import { type Held, Holding } from "./holding.js";
import { settle, subscribeTo, tell, waitFor } from "./listeners.js";
import type { Watcher } from "./network.js";
import { checkOptions, readBundles } from "./options.js";
import { PARTS, Part } from "./parts.js";
import type { KeyValueStore, Surroundings } from "./platform.js";
import { Readers } from "./reader.js";
import type { Address } from "./requests.js";
import type { Session } from "./session.js";
import { StoreHandle } from "./store-handle.js";
import type { StoreHolder } from "./stores.js";
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
  readonly #platform: Surroundings;
  readonly #options: LiveryOptions;
  readonly #baseUrl: string;
  readonly #bundles: readonly LiveryContent[];
  readonly #holding: Holding;
  readonly #readers: Readers;
  readonly #listeners = new Set<LiveryListener>();
  readonly #stateListeners = new Set<() => void>();
  readonly #warned = new Set<string>();
  readonly #stores = new Map<string, StoreHandle>();
  readonly #readyWaiters = new Set<() => void>();
  readonly #latestWaiters = new Set<(isLatest: boolean) => void>();
  readonly #switchWaiters = new Set<(isShown: boolean) => void>();
  #preview: string | undefined;
  #requested: string;
  #shown: Shown | undefined;
  #reader: LiveryReader;
  /** While the code for it is loading, it has the status `down`. */
  #session: Pick<Session, "status" | "close"> | undefined;
  readonly #network: Part<typeof import("./network.js")>;
  readonly #storeCode: Part<typeof import("./stores.js")>;
  readonly #badge: Part<typeof import("./preview.js")>;
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

  readonly #watcher: Watcher = {
    taken: (held, language) => this.#taken(held, language),
    prepare: (content) => {
      const items = [...this.#stores.values()].flatMap((store) => store.prepare(content) ?? []);
      if (items.length > 0) this.#isFresh = false;
      return items;
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
    refused: () => this.endPreview(),
    warn: this.#warn,
  };
  readonly #storeHolder: StoreHolder = {
    content: () => this.#shown?.content,
    ready: () => this.ready(),
    endpoint: (language) => (this.#isClosed ? undefined : this.#endpoint(language)),
    random: () => this.#platform.random(),
    shelf: () => this.#holding.shelf,
    warn: this.#warn,
  };

  constructor(options: LiveryOptions, platform: Surroundings) {
    checkOptions(options);
    this.#platform = platform;
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
    const { projectId, preview = platform.preview?.token(projectId), connection } = options;
    if (connection !== "off") this.#preview = preview || undefined;
    this.#bundles = readBundles(options, this.#warn);
    const shelf = { storage: this.#storage(), baseUrl: this.#baseUrl, projectId, warn: this.#warn };
    this.#holding = new Holding(shelf, this.#bundles);
    const { network, stores, preview: badge } = platform.parts ?? PARTS;
    this.#network = this.#part("the network", network, () => this.#becomeReady());
    this.#storeCode = this.#part("stores", stores);
    this.#badge = this.#part("previews", badge);
    this.#readers = new Readers(this.#baseUrl, this.#warn, options);
    this.#requested = options.language ?? "";
    this.#reader = this.reader(undefined);
    this.#load();
    const [standIn] = this.#bundles;
    if (!this.#shown && standIn) this.#show({ content: standIn, isBundle: true }, undefined);
    if (this.#shown || options.connection === "off") this.#becomeReady();
    this.#lastState = this.#stateKey();
    this.#connect();
    const token = this.#preview;
    if (token && platform.preview) this.#badge.request(({ startPreview }) => startPreview(this, projectId, token));
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
    const latest = this.#options.mode === "manual" ? this.#holding.latest : undefined;
    return latest !== undefined && latest.content !== this.#shown?.content;
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
      store = new StoreHandle(name, this.#storeHolder, this.#storeCode);
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
    return waitFor(this.#latestWaiters, this.#platform, Math.min(Math.max(Number(timeout) || 0, 0), MAX_LATEST_MS));
  }

  readonly setLanguage = (language: string): Promise<boolean> => {
    if (this.#isClosed || typeof language !== "string") return Promise.resolve(false);
    if (language !== this.#requested) this.#open(language);
    if (this.#shown?.answers === this.#requested) return Promise.resolve(true);
    if (!this.#session) return Promise.resolve(false);
    return waitFor(this.#switchWaiters, this.#platform, SWITCH_MS);
  };

  activate(): boolean {
    const latest = this.#holding.latest;
    if (!latest || !this.pending) return false;
    this.#show(latest, this.#requested);
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
    this.#storeCode.close();
    this.#badge.close();
    for (const store of this.#stores.values()) store.close();
    this.#listeners.clear();
    this.#stateListeners.clear();
  }

  readonly endPreview = (): void => {
    if (!this.#preview || this.#isClosed) return;
    this.#preview = undefined;
    this.#holding.memory.clear();
    this.#holding.shelf.storage = this.#storage();
    // The draft stays until the release is here, and gives way to it in manual mode too.
    if (this.#shown) this.#shown = { ...this.#shown, answers: undefined };
    this.#open(this.#requested);
  };

  // --- showing ------------------------------------------------------------------------------------------------------

  #open(language: string): void {
    settle(this.#switchWaiters, false);
    this.#session?.close();
    this.#session = undefined;
    this.#isFresh = false;
    this.#requested = language;
    this.#load();
    this.#connect();
    this.#stateMayHaveChanged();
  }

  /** Nothing of a draft stays on the device. */
  #storage(): KeyValueStore | undefined {
    return this.#options.cache === false || this.#preview ? undefined : this.#platform.storage;
  }

  #load(): void {
    const language = this.#requested;
    const held = this.#holding.open(language);
    if (held) this.#show(held, language);
  }

  #taken(held: Held, language: string): void {
    // Manual mode keeps what someone is looking at, but nobody is served by an empty page or the wrong language.
    const isAwaited = this.#shown?.answers !== language;
    if (this.#options.mode !== "manual" || isAwaited || this.#preview) this.#show(held, language);
    this.#becomeReady();
    this.#stateMayHaveChanged();
  }

  #show({ content, isBundle }: Pick<Held, "content" | "isBundle">, answers: string | undefined): void {
    this.#shown = { content, isBundle, answers };
    this.#reader = this.#read(content);
    const change: LiveryChange = { version: content.version, language: this.#reader.language };
    for (const store of this.#stores.values()) store.adopt();
    tell(this.#listeners, (listener) => listener(change), this.#warn);
    for (const store of this.#stores.values()) store.contentChanged();
    if (answers === this.#requested) settle(this.#switchWaiters, true);
  }

  /** Over the bundle of the content's own language, else the first. */
  #read(content: LiveryContent | undefined): LiveryReader {
    const language = content?.language || this.#requested;
    const bundle = this.#bundles.find((one) => one.language === language) ?? this.#bundles[0];
    return this.#readers.of(content, bundle, this.#requested);
  }

  #part<Code>(what: string, source: () => Promise<Code>, failed?: () => void): Part<Code> {
    return new Part(source, this.#platform, (error) => {
      this.#warn(`part:${what}`, `the code for ${what} was not loaded and is tried again: ${String(error)}`);
      failed?.();
    });
  }

  #connect(): void {
    const { connection = "stream" } = this.#options;
    const endpoint = this.#endpoint(this.#requested);
    if (!endpoint || connection === "off" || this.#isClosed) return;
    const close = this.#network.request(({ connect }) => {
      this.#session = connect(endpoint, this.#holding, this.#watcher, connection);
    });
    this.#session = { status: "down", close };
  }

  #endpoint(language: string): Address | undefined {
    const { connection, projectId, key, contentUrl } = this.#options;
    if (connection === "off") return undefined;
    return {
      platform: this.#platform,
      baseUrl: this.#baseUrl,
      projectId,
      key,
      contentUrl,
      language,
      preview: this.#preview,
    };
  }

  // --- listeners -----------------------------------------------------------------------------------------------------

  #becomeReady(): void {
    this.#isReady = true;
    settle(this.#readyWaiters, true);
    this.#readyWaiters.clear();
  }

  #stateKey(): string {
    return JSON.stringify([this.state, this.pending, this.#requested, this.preview]);
  }

  #stateMayHaveChanged(): void {
    const now = this.#stateKey();
    if (now === this.#lastState) return;
    this.#lastState = now;
    tell(this.#stateListeners, (listener) => listener(), this.#warn);
  }
}
