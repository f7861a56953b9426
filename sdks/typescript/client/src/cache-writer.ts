/** Keeps content on the device: that of the last used projects and languages, with no exception ever. */

import { attempt } from "./attempt.js";
import { addToHash, checksum, FORMAT, type Kept, PREFIX, recordKey, type Shelf } from "./cache.js";
import { isObject } from "./content.js";
import type { Cancel, KeyValueStore, Platform } from "./platform.js";

const INDEX = `${PREFIX}index`;
const MAX_PROJECTS = 5;
const MAX_LANGUAGES = 10;
/** Browsers give about 5 MB to an origin, and the app has its own things to keep. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_HOLD_MS = 3_600_000;

/** A page can answer a touch between two slices. */
const SLICE_MS = 8;
/** Objects this deep are written entry by entry: record, body, texts, screen. */
const DEPTH = 4;

/** The JSON of `value` in small pieces. */
function* pieces(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || !isObject(value)) {
    yield JSON.stringify(value);
    return;
  }
  let before = "{";
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* pieces(one, depth - 1);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

/** Ends with the record. May be left at every step. */
function* seal(value: unknown): Generator<undefined, string> {
  const json: string[] = [];
  let hash: number | undefined;
  for (const piece of pieces(value, DEPTH)) {
    json.push(piece);
    hash = addToHash(piece, hash);
    yield undefined;
  }
  return `${FORMAT} ${checksum(hash ?? 0)} ${json.join("")}`;
}

interface Job {
  readonly kept: Kept;
  readonly sealing: Generator<undefined, string>;
}

export class CacheWriter {
  /** What is to be written, by language. */
  readonly #pending = new Map<string, Kept>();
  #job: Job | undefined;
  #cancel: Cancel | undefined;

  constructor(
    readonly shelf: Shelf,
    readonly platform: Pick<Platform, "after" | "now" | "wallClock">,
  ) {}

  /** Writes the record soon, in slices: large content would stop a slow device for over 50 ms. The newest content of a language counts. */
  save(language: string, kept: Kept): void {
    if (!this.shelf.storage) return;
    this.#pending.set(language, kept);
    this.#plan();
  }

  /** Writes now what is still to be written. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#pending.size > 0) this.#step();
  }

  #plan(): void {
    this.#cancel ??= this.platform.after(0, () => {
      this.#cancel = undefined;
      const end = this.platform.now() + SLICE_MS;
      do this.#step();
      while (this.#pending.size > 0 && this.platform.now() < end);
      if (this.#pending.size > 0) this.#plan();
    });
  }

  #step(): void {
    for (const [language, kept] of this.#pending) {
      if (this.#job?.kept !== kept) {
        const value = {
          base: this.shelf.baseUrl,
          etag: kept.etag,
          savedAt: this.platform.wallClock(),
          body: kept.content,
        };
        this.#job = { kept, sealing: seal(value) };
      }
      const { done, value: record } = this.#job.sealing.next();
      if (!done) return;
      this.#pending.delete(language);
      this.#job = undefined;
      this.#write(recordKey(this.shelf.projectId, language), record);
      return;
    }
  }

  /** Makes room by dropping what was used longest ago. */
  #write(key: string, record: string): void {
    const { storage: store, warn } = this.shelf;
    if (!store) return;
    if (record.length > MAX_CHARACTERS) {
      attempt(() => store.remove(key));
      warn("storage", "the content is too large to be kept on the device");
      return;
    }
    const used = [key, ...this.#index(store).filter((one) => one !== key)];
    const remaining = this.#prune(store, used);
    while (!attempt(() => store.set(key, record))) {
      const oldest = remaining.length > 1 ? remaining.pop() : undefined;
      if (oldest === undefined) {
        // An older record under this key would come back at the next start beside an ETag that is not its own.
        attempt(() => store.remove(key));
        warn("storage", "the device's storage is full or closed; content is kept in memory only");
        return;
      }
      attempt(() => store.remove(oldest));
    }
    attempt(() => store.set(INDEX, JSON.stringify(remaining)));
  }

  /** Milliseconds the server asked us to stay away, from before a reload. A clock that jumped can't make it longer than an hour. */
  hold(): number {
    let until = 0;
    attempt(() => {
      until = Number(this.shelf.storage?.get(this.#holdKey()) ?? 0);
    });
    const rest = until - this.platform.wallClock();
    return rest > 0 && rest <= MAX_HOLD_MS ? rest : 0;
  }

  /** 0 clears. */
  setHold(milliseconds: number): void {
    const store = this.shelf.storage;
    if (!store) return;
    attempt(() => {
      if (milliseconds > 0) store.set(this.#holdKey(), String(Math.round(this.platform.wallClock() + milliseconds)));
      else if (store.get(this.#holdKey()) !== null) store.remove(this.#holdKey());
    });
  }

  #holdKey(): string {
    return `${PREFIX}hold:${this.shelf.projectId}`;
  }

  /** Record keys, the last used first; rebuilt from the storage itself when the index is unreadable. */
  #index(store: KeyValueStore): string[] {
    try {
      const index: unknown = JSON.parse(store.get(INDEX) ?? "null");
      if (Array.isArray(index)) return index.filter((one) => typeof one === "string" && one.startsWith(PREFIX));
      return store
        .keys()
        .filter((one) => one.startsWith(`${PREFIX}`) && one !== INDEX && !one.startsWith(`${PREFIX}hold:`));
    } catch {
      return [];
    }
  }

  #prune(store: KeyValueStore, used: readonly string[]): string[] {
    const languages = new Map<string, number>();
    return used.filter((key) => {
      const project = key.slice(0, key.lastIndexOf(":"));
      const count = languages.get(project) ?? 0;
      const keep = count < MAX_LANGUAGES && (count > 0 || languages.size < MAX_PROJECTS);
      if (keep) languages.set(project, count + 1);
      else attempt(() => store.remove(key));
      return keep;
    });
  }
}
