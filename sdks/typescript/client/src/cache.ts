/** Reads the content kept on the device: one checked record per project and language, and no exception ever. */

import { attempt } from "./attempt.js";
import { isObject, readBody } from "./content.js";
import type { KeyValueStore } from "./platform.js";
import type { LiveryContent } from "./types.js";

export interface Kept {
  readonly content: LiveryContent;
  readonly etag: string | undefined;
}

export const PREFIX = "livery:";
/** Records of a store's items. */
export const ITEMS = `${PREFIX}items:`;
/** Is written before the checksum. A record with a different number has a different format, and is dropped. */
export const FORMAT = "livery1";

/** FNV-1a: finds torn and edited records; nothing is secured by it. `hash` is that of the text before `text`. */
export function addToHash(text: string, hash = 0x811c9dc5): number {
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

export function checksum(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, "0");
}

export function unseal(record: string): unknown {
  const [format, sum] = record.split(" ", 2);
  const json = record.slice(`${format} ${sum} `.length);
  if (format !== FORMAT || sum !== checksum(addToHash(json))) throw new Error("not a record of this format");
  return JSON.parse(json);
}

/** Where the content of a project is kept. */
export interface Shelf {
  /** Undefined where nothing is to be kept. */
  storage: KeyValueStore | undefined;
  readonly baseUrl: string;
  readonly projectId: string;
  readonly warn: (id: string, message: string) => void;
}

export function recordKey(projectId: string, language: string): string {
  return `${PREFIX}${projectId}:${language}`;
}

/** A record that can't be trusted is removed and reported once. */
export function readKept({ storage, baseUrl, projectId, warn }: Shelf, language: string): Kept | undefined {
  if (!storage) return undefined;
  const key = recordKey(projectId, language);
  let record: string | null = null;
  try {
    record = storage.get(key);
    if (record === null) return undefined;
    const value = unseal(record);
    // The app has a new base URL: nothing is wrong with the record.
    if (isObject(value) && value.base !== baseUrl) {
      attempt(() => storage.remove(key));
      return undefined;
    }
    const content = isObject(value) && readBody(value.body, projectId);
    if (!content) throw new Error("not content of this project");
    return { content, etag: typeof value.etag === "string" ? value.etag : undefined };
  } catch {
    if (record !== null) {
      warn("cache", "the stored content was unreadable and has been dropped");
      attempt(() => storage.remove(key));
    } else warn("storage", "the device's storage can't be used; content is kept in memory only");
    return undefined;
  }
}
