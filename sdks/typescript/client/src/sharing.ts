/** Keeps what is equal the same object, and keeps memory bounded. */

import type { LiveryContent } from "./types.js";

type Json = Record<string, unknown>;

const MAX_REMEMBERED = 5;

/** Keeps at most `most` values: what was written longest ago goes. */
export function remember<Value>(memory: Map<string, Value>, key: string, value: Value, most = MAX_REMEMBERED): void {
  memory.delete(key);
  memory.set(key, value);
  for (const oldest of memory.keys()) if (memory.size > most) memory.delete(oldest);
}

export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && same((one as Json)[key], (other as Json)[key]));
}

/** `next`, with every part that is equal in `before` taken from there, so that readers can compare by identity. */
export function shareStructure(before: LiveryContent | undefined, next: LiveryContent): LiveryContent {
  if (!before || before.language !== next.language) return next;
  const shared: Record<string, unknown> = { ...next };
  for (const part of ["languages", "texts", "colors", "images", "stores"] as const) {
    if (same(before[part], next[part])) shared[part] = before[part];
  }
  return shared as unknown as LiveryContent;
}

/** True where all that can be read is equal; versions are not looked at. */
export function sameContent(one: LiveryContent, other: LiveryContent): boolean {
  return same({ ...one, version: "", release: 0 }, { ...other, version: "", release: 0 });
}
