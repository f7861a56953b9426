/** Keeps the items of stores on the device, for a start without network: those last fetched, within bounds, with no exception ever. */

import { attempt } from "./attempt.js";
import { ITEMS, PREFIX, type Shelf, unseal } from "./cache.js";
import { isObject } from "./content.js";
import type { KeyValueStore, Platform } from "./platform.js";
import { SlicedWriter } from "./sliced-writer.js";
import type { AnyItem } from "./types.js";
import { parseVersion } from "./version.js";

/** The items of a store in one language. */
export interface KeptItems {
  readonly items: readonly AnyItem[];
  readonly version: string;
  readonly hash: unknown;
}

const INDEX = `${PREFIX}item-index`;
const MAX_RECORDS = 20;
/** Beside up to 4 MB of content, in the 5 MB that browsers give to an origin: content displaces items, and items no content. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_CHARACTERS_OF_ALL = 2 * MAX_CHARACTERS;

type Entry = readonly [key: string, length: number];

export class ItemShelf {
  #writer: SlicedWriter | undefined;

  constructor(
    readonly shelf: Shelf,
    readonly name: string,
  ) {}

  read(language: string): KeptItems | undefined {
    const { storage, baseUrl, warn } = this.shelf;
    let record: string | null | undefined;
    try {
      record = storage?.get(this.#key(language));
      if (typeof record !== "string") return undefined;
      const value = unseal(record);
      if (isObject(value) && value.base === baseUrl && parseVersion(value.version) && Array.isArray(value.items)) {
        const items = value.items.filter((item) => isObject(item) && typeof item._id === "string") as AnyItem[];
        return { items: Object.freeze(items), version: value.version as string, hash: value.hash };
      }
    } catch {
      if (record) warn("cache", "stored items were unreadable and have been dropped");
    }
    attempt(() => storage?.remove(this.#key(language)));
    return undefined;
  }

  /** Writes the items soon. */
  save(language: string, { items, version, hash }: KeptItems, platform: Platform): void {
    if (!this.shelf.storage) return;
    this.#writer ??= new SlicedWriter(platform, (key, record) => {
      if (this.shelf.storage) write(this.shelf.storage, key, record);
    });
    this.#writer.save(this.#key(language), { base: this.shelf.baseUrl, version, hash, items });
  }

  /** Writes now what is still to be written. */
  flush(): void {
    this.#writer?.flush();
  }

  #key(language: string): string {
    return `${ITEMS}${this.shelf.projectId}:${language}:${encodeURIComponent(this.name)}`;
  }
}

/** Makes room by dropping what was written longest ago. */
function write(store: KeyValueStore, key: string, record: string): void {
  const others = readIndex(store).filter(([one]) => one !== key);
  const entries: Entry[] = record.length > MAX_CHARACTERS ? others : [[key, record.length], ...others];
  if (entries === others) attempt(() => store.remove(key));
  const size = () => entries.reduce((sum, [, length]) => sum + length, 0);
  const dropLast = () => {
    const last = entries.pop();
    if (last) attempt(() => store.remove(last[0]));
  };
  while (entries.length > MAX_RECORDS || size() > MAX_CHARACTERS_OF_ALL) dropLast();
  // The record itself is dropped last: an older record under its key must not stay.
  if (entries !== others) while (entries.length > 0 && !attempt(() => store.set(key, record))) dropLast();
  attempt(() => store.set(INDEX, JSON.stringify(entries)));
}

function readIndex(store: KeyValueStore): Entry[] {
  try {
    const index: unknown = JSON.parse(store.get(INDEX) ?? "[]");
    return (index as Entry[]).filter(([key, length]) => key.startsWith(ITEMS) && length > 0);
  } catch {
    return [];
  }
}
