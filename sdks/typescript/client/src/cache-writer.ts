/** Keeps content on the device: that of the last used projects and languages, with no exception ever. */

import { attempt } from "./attempt.js";
import { ITEMS, type Kept, PREFIX, recordKey, type Shelf } from "./cache.js";
import type { KeyValueStore, Platform } from "./platform.js";
import { SlicedWriter } from "./sliced-writer.js";

const INDEX = `${PREFIX}index`;
const MAX_PROJECTS = 5;
const MAX_LANGUAGES = 10;
/** Browsers give about 5 MB to an origin, and the app has its own things to keep. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_HOLD_MS = 3_600_000;

function dropItems(store: KeyValueStore): void {
  attempt(() => {
    for (const key of store.keys()) if (key.startsWith(ITEMS)) store.remove(key);
  });
}

export class CacheWriter {
  readonly #writer: SlicedWriter;

  constructor(
    readonly shelf: Shelf,
    readonly platform: Pick<Platform, "after" | "now" | "wallClock">,
  ) {
    this.#writer = new SlicedWriter(platform, (key, record) => this.#write(key, record));
  }

  /** Writes the record soon. */
  save(language: string, { etag, content: body }: Kept): void {
    const { storage, baseUrl: base, projectId } = this.shelf;
    if (storage)
      this.#writer.save(recordKey(projectId, language), { base, etag, savedAt: this.platform.wallClock(), body });
  }

  /** Writes now what is still to be written. */
  flush(): void {
    this.#writer.flush();
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
    const write = () => attempt(() => store.set(key, record));
    let isWritten = write();
    if (!isWritten) {
      // Content is worth more than items, which can be asked for again.
      dropItems(store);
      isWritten = write();
    }
    while (!isWritten) {
      const oldest = remaining.length > 1 ? remaining.pop() : undefined;
      if (oldest === undefined) {
        // An older record under this key would come back at the next start beside an ETag that is not its own.
        attempt(() => store.remove(key));
        warn("storage", "the device's storage is full or closed; content is kept in memory only");
        return;
      }
      attempt(() => store.remove(oldest));
      isWritten = write();
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
      return store.keys().filter((one) => one.startsWith(PREFIX) && one !== INDEX && !/^livery:(hold|item)/.test(one));
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
