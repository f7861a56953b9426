/**
 * The items of a project's stores. They are fetched when somebody asks, all pages of one release, and again when the
 * content shows that they changed.
 */

import { Backoff, classify, parseRetryAfter } from "./backoff.js";
import { withNetwork } from "./browser-network.js";
import type { Shelf } from "./cache.js";
import { isObject, own } from "./content.js";
import { ItemShelf, type KeptItems } from "./item-shelf.js";
import { tell } from "./listeners.js";
import type { Cancel, Surroundings } from "./platform.js";
import { type Address, type Endpoint, getPage, type PageAnswer } from "./requests.js";
import { remember, same } from "./sharing.js";
import type { AnyItem, LiveryContent } from "./types.js";
import { order, parseVersion } from "./version.js";

/** What a store needs of its client. */
export interface StoreHolder {
  /** What is shown. */
  content(): LiveryContent | undefined;
  /** Resolves when there is content, or no content to be had for now. */
  ready(): Promise<void>;
  /** Where to ask; undefined where the network is not to be used (any more). */
  endpoint(language: string): Address | undefined;
  random(): number;
  /** Where items are kept on the device. */
  shelf(): Shelf;
  warn(id: string, message: string): void;
}

interface Held extends KeptItems {
  /** The hash that the content named when these were asked for: the server may have been ahead of it. Undefined where it was behind. */
  readonly wanted: string | undefined;
}

const CHANGE_SPREAD_MS = 2_000;
/** All devices that watch a store hear of a release in the same moment, so their requests are spread. The texts are held up for that long. */
const PREPARE_SPREAD_MS = 500;
const MAX_RESTARTS = 3;
const MAX_PAGES = 1_000;
const NOTHING: readonly AnyItem[] = Object.freeze([]);

class Refused extends Error {
  constructor(readonly answer: PageAnswer) {
    super(`the server answered ${answer.status}`);
  }
}

/** Whether these are the items that content with the hash `wanted` brings. */
function isOf(held: Held | undefined, wanted: string): boolean {
  return held !== undefined && (held.hash === wanted || held.wanted === wanted);
}

export class Store {
  readonly #held = new Map<string, Held>();
  readonly #shelf: ItemShelf;
  /** The languages whose items have been looked for on the device. */
  readonly #looked = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #backoff: Backoff;
  /** Items of content that is not shown yet. */
  #ahead: { readonly language: string; readonly held: Held } | undefined;
  /** The language of `#current`. */
  #language = "";
  #isQuiet = false;
  #isUntold = false;
  #current: readonly AnyItem[] | undefined;
  #loading: { readonly key: string; readonly done: Promise<void> } | undefined;
  #timer: Cancel | undefined;
  readonly #closed = new AbortController();

  constructor(
    readonly name: string,
    readonly holder: StoreHolder,
  ) {
    this.#backoff = new Backoff(holder.random);
    this.#shelf = new ItemShelf(holder.shelf(), name);
  }

  get current(): readonly AnyItem[] | undefined {
    return this.#current;
  }

  async items(): Promise<readonly AnyItem[]> {
    if (!this.holder.content()) await this.holder.ready();
    try {
      // A release or another language may come while this is under way: what counts is what is shown in the end.
      for (let turn = 0; turn < MAX_RESTARTS && !this.#take(); turn++) await this.#load();
    } catch (error) {
      if (!this.#current) throw error;
    }
    if (!this.#current) throw new Error(`nothing is known of the store "${this.name}" yet`);
    return this.#current;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#timer) this.#follow(0);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#cancel();
    };
  };

  /** Fetches the items that this content brings. Undefined if there is nothing to fetch, nobody watches, or nothing is shown yet. */
  prepare(content: LiveryContent): Promise<void> | undefined {
    const shown = this.holder.content();
    const wanted = own(content.stores, this.name);
    if (!shown?.version || !content.version || wanted === undefined || this.#listeners.size === 0) return undefined;
    const { language } = content;
    const ahead = this.#ahead?.language === language ? this.#ahead.held : undefined;
    if (isOf(this.#find(language), wanted) || isOf(ahead, wanted)) return undefined;
    return this.#request(content, wanted, shown.language === language ? PREPARE_SPREAD_MS : 0);
  }

  adopt(): void {
    this.#isQuiet = true;
    this.#take();
    this.#isQuiet = false;
  }

  contentChanged(): void {
    if (this.#isUntold) this.#tell();
    if (!this.#take() && this.#listeners.size > 0 && !this.#timer) {
      const isNewHere = !this.#current || this.#language !== this.holder.content()?.language;
      this.#follow(isNewHere ? 0 : CHANGE_SPREAD_MS);
    }
  }

  close(): void {
    this.#cancel();
    this.#shelf.flush();
    this.#closed.abort();
    this.#listeners.clear();
  }

  /** Asks within `spread` ms and, as long as somebody listens, again after failures. */
  #follow(spread: number): void {
    const endpoint = this.holder.endpoint("");
    if (this.#take() || !endpoint) return;
    const { platform } = endpoint;
    const again = (wait: number) => {
      this.#timer = platform.after(wait, () => {
        this.#load().then(
          () => {
            this.#timer = undefined;
            this.contentChanged();
          },
          (error) => {
            this.#timer = undefined;
            if (this.#listeners.size > 0) again(this.#wait(error));
          },
        );
      });
    };
    again(platform.random() * spread);
  }

  #wait(error: unknown): number {
    if (!(error instanceof Refused)) return this.#backoff.fail("transient");
    // A store that is named but not found is a store that this server does not know yet.
    const { answer } = error;
    const failure = answer.status === 404 ? "transient" : classify(answer);
    return this.#backoff.fail(failure, parseRetryAfter(answer.retryAfter));
  }

  #cancel(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  /** Shows what is held of the content shown. False where something is to be fetched. */
  #take(): boolean {
    const content = this.holder.content();
    if (!content?.version) return true;
    const wanted = own(content.stores, this.name);
    if (wanted === undefined) {
      if (content.release > 0) this.holder.warn(`store:${this.name}`, `no store "${this.name}"`);
      this.#show(NOTHING);
      return true;
    }
    const { language } = content;
    if (this.#ahead?.language === language && isOf(this.#ahead.held, wanted)) {
      remember(this.#held, language, this.#ahead.held);
      this.#ahead = undefined;
    }
    const held = this.#find(language);
    if (!held) return false;
    const isRight = isOf(held, wanted);
    // Items of the device may be of an older release; until there are others, they are better than no items.
    if (isRight || !this.#current) {
      this.#language = language;
      this.#show(held.items);
    }
    return isRight;
  }

  #find(language: string): Held | undefined {
    if (!this.#held.has(language) && !this.#looked.has(language)) {
      const kept = this.#shelf.read(language);
      if (kept) remember(this.#held, language, { ...kept, wanted: undefined });
    }
    this.#looked.add(language);
    return this.#held.get(language);
  }

  #show(items: readonly AnyItem[]): void {
    if (this.#current === items) return;
    this.#current = items;
    if (this.#isQuiet) this.#isUntold = true;
    else this.#tell();
  }

  #tell(): void {
    this.#isUntold = false;
    tell(this.#listeners, (listener) => listener(), this.holder.warn);
  }

  /** Fetches what the content shown wants; callers of the same moment share it. Rejects where that can't be had. */
  #load(): Promise<void> {
    const content = this.holder.content();
    const wanted = content && own(content.stores, this.name);
    if (!wanted || this.#take()) return Promise.resolve();
    return this.#request(content, wanted, 0);
  }

  /** Fetches what `content` wants within `spread` ms; a request for the same is shared. */
  #request(content: LiveryContent, wanted: string, spread: number): Promise<void> {
    const endpoint = this.holder.endpoint(content.language);
    if (!endpoint) return Promise.reject(new Error(`the store "${this.name}" can't be fetched`));
    const key = `${content.language} ${wanted}`;
    if (this.#loading?.key === key) return this.#loading.done;
    // A draft is not heard by many devices.
    const wait = endpoint.preview ? 0 : spread * endpoint.platform.random();
    const fetched = this.#pause(wait, endpoint.platform).then(() => this.#fetch(endpoint, content, wanted));
    const done = fetched.finally(() => {
      if (this.#loading?.done === done) this.#loading = undefined;
    });
    this.#loading = { key, done };
    return done;
  }

  /** Ends early when the store is closed. */
  #pause(milliseconds: number, platform: Surroundings): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    const { signal } = this.#closed;
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const cancel = platform.after(milliseconds, end);
      signal.addEventListener("abort", end);
    });
  }

  async #fetch(to: Address, content: LiveryContent, wanted: string): Promise<void> {
    const platform = withNetwork(to.platform);
    const { items, hash, version } = await fetchAll({ ...to, platform }, this.name, this.#closed.signal);
    const isBehind = hash !== wanted && order(version, content.version) === "newer";
    const { language } = content;
    const before = this.#find(language);
    if (!before || order(before.version, version) !== "older") {
      const shared = shareItems(before?.items ?? NOTHING, items);
      const held = { items: shared, version, hash, wanted: isBehind ? undefined : wanted };
      const shown = this.holder.content();
      if (shown?.language === language && own(shown.stores, this.name) !== wanted) this.#ahead = { language, held };
      else remember(this.#held, language, held);
      // Nothing of a draft stays on the device.
      if (!to.preview) this.#shelf.save(language, held, platform);
    }
    if (this.#take()) this.#backoff.reset();
    else if (isBehind) {
      if (!this.#current) this.#show(items);
      throw new Error("the server has not heard of the release yet");
    }
  }
}

interface Whole {
  readonly items: AnyItem[];
  readonly hash: unknown;
  readonly version: string;
}

/** All pages of one release; from the start again where that release is forgotten before the last page. */
async function fetchAll(to: Endpoint, name: string, signal: AbortSignal): Promise<Whole> {
  for (let turn = 0; turn < MAX_RESTARTS; turn++) {
    const whole = await fetchOnce(to, name, signal);
    if (whole) return whole;
  }
  throw new Error("the releases follow each other too fast");
}

async function fetchOnce(to: Endpoint, name: string, signal: AbortSignal): Promise<Whole | undefined> {
  const items: AnyItem[] = [];
  let cursor: string | undefined;
  let first: Record<string, unknown> | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await getPage(to, name, cursor, signal);
    const { status, body } = answer;
    if (status === 409 && cursor) return undefined;
    if (status !== 200) throw new Refused(answer);
    if (!isObject(body) || !parseVersion(body.version) || !Array.isArray(body.items)) throw new Error("no page");
    first ??= body;
    if (body.version !== first.version) return undefined;
    for (const item of body.items) {
      if (isObject(item) && typeof item._id === "string") items.push(withAddresses(item as AnyItem, to));
    }
    if (typeof body.nextCursor !== "string") return { items, hash: first.hash, version: first.version as string };
    cursor = body.nextCursor;
  }
  throw new Error("a store without an end");
}

/** Paths of the project's images become addresses of the server. */
function withAddresses(item: AnyItem, { baseUrl, projectId }: Endpoint): AnyItem {
  const folder = `/media/${projectId}/`;
  const entries = Object.entries(item).map(([field, value]) => {
    const isPath =
      typeof value === "string" && value.startsWith(folder) && /^[\w.-]+$/.test(value.slice(folder.length));
    return [field, isPath ? baseUrl + value : value];
  });
  return Object.fromEntries(entries) as AnyItem;
}

/** The items, each the object of before where nothing of it changed; the list of before where nothing changed at all. */
function shareItems(before: readonly AnyItem[], next: readonly AnyItem[]): readonly AnyItem[] {
  const known = new Map(before.map((item) => [item._id, item]));
  const shared = next.map((item) => {
    const old = known.get(item._id);
    return old && same(old, item) ? old : item;
  });
  const isSame = shared.length === before.length && shared.every((item, at) => item === before[at]);
  return isSame ? before : Object.freeze(shared);
}
