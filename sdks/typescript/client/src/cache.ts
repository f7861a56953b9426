/** Content kept on the device: one checked record per project and language, few projects, and no exception ever. */

import { attempt } from "./attempt.js";
import { isObject, readBody } from "./content.js";
import type { KeyValueStore, Platform } from "./platform.js";
import type { LiveryContent } from "./types.js";

export interface Kept {
  readonly content: LiveryContent;
  readonly etag: string | undefined;
}

const PREFIX = "livery:";
const INDEX = `${PREFIX}index`;
/** Is written before the checksum. A record with a different number has a different format, and is dropped. */
const FORMAT = "livery1";
const MAX_PROJECTS = 5;
const MAX_LANGUAGES = 10;
/** Browsers give about 5 MB to an origin, and the app has its own things to keep. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_HOLD_MS = 3_600_000;

/** FNV-1a: finds torn and edited records; nothing is secured by it. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

function seal(value: unknown): string {
  const json = JSON.stringify(value);
  return `${FORMAT} ${checksum(json)} ${json}`;
}

function unseal(record: string): unknown {
  const [format, sum] = record.split(" ", 2);
  const json = record.slice(`${format} ${sum} `.length);
  if (format !== FORMAT || sum !== checksum(json)) throw new Error("not a record of this format");
  return JSON.parse(json);
}

export class ContentCache {
  readonly #store: KeyValueStore | undefined;
  constructor(
    readonly platform: Platform,
    readonly baseUrl: string,
    readonly projectId: string,
    readonly warn: (id: string, message: string) => void,
    enabled: boolean,
  ) {
    this.#store = enabled ? platform.storage : undefined;
  }

  /** A record that can't be trusted is removed and reported once. */
  load(language: string): Kept | undefined {
    const store = this.#store;
    if (!store) return undefined;
    const key = this.#key(language);
    let record: string | null = null;
    try {
      record = store.get(key);
      if (record === null) return undefined;
      const value = unseal(record);
      if (!isObject(value) || value.base !== this.baseUrl) throw new Error("another server's record");
      const content = readBody(value.body, this.projectId);
      if (!content) throw new Error("not content of this project");
      return { content, etag: typeof value.etag === "string" ? value.etag : undefined };
    } catch {
      if (record !== null) {
        this.warn("cache", "the stored content was unreadable and has been dropped");
        attempt(() => store.remove(key));
      } else this.warn("storage", "the device's storage can't be used; content is kept in memory only");
      return undefined;
    }
  }

  /** Makes room by dropping what was used longest ago. Returns whether the record is stored. */
  save(language: string, kept: Kept): boolean {
    const store = this.#store;
    if (!store) return false;
    const key = this.#key(language);
    const savedAt = this.platform.wallClock();
    const record = seal({ base: this.baseUrl, etag: kept.etag, savedAt, body: kept.content });
    if (record.length > MAX_CHARACTERS) {
      attempt(() => store.remove(key));
      this.warn("storage", "the content is too large to be kept on the device");
      return false;
    }
    const used = [key, ...this.#index(store).filter((one) => one !== key)];
    const remaining = this.#prune(store, used);
    while (!attempt(() => store.set(key, record))) {
      const oldest = remaining.length > 1 ? remaining.pop() : undefined;
      if (oldest === undefined) {
        // An older record under this key would come back at the next start beside an ETag that is not its own.
        attempt(() => store.remove(key));
        this.warn("storage", "the device's storage is full or closed; content is kept in memory only");
        return false;
      }
      attempt(() => store.remove(oldest));
    }
    attempt(() => store.set(INDEX, JSON.stringify(remaining)));
    return true;
  }

  /** Milliseconds the server asked us to stay away, from before a reload. A clock that jumped can't make it longer than an hour. */
  hold(): number {
    let until = 0;
    attempt(() => {
      until = Number(this.#store?.get(this.#holdKey()) ?? 0);
    });
    const rest = until - this.platform.wallClock();
    return rest > 0 && rest <= MAX_HOLD_MS ? rest : 0;
  }

  /** 0 clears. */
  setHold(milliseconds: number): void {
    const store = this.#store;
    if (!store) return;
    attempt(() => {
      if (milliseconds > 0) store.set(this.#holdKey(), String(Math.round(this.platform.wallClock() + milliseconds)));
      else if (store.get(this.#holdKey()) !== null) store.remove(this.#holdKey());
    });
  }

  #key(language: string): string {
    return `${PREFIX}${this.projectId}:${language}`;
  }

  #holdKey(): string {
    return `${PREFIX}hold:${this.projectId}`;
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
