/** JSON Merge Patches, applied to content. */

import { isObject, readBody } from "./content.js";
import { shareStructure } from "./sharing.js";
import type { LiveryContent } from "./types.js";

type Json = Record<string, unknown>;

/** RFC 7396. Changes neither argument; branches that the patch does not touch are the target's own objects. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), change));
  }
  return Object.fromEntries(merged);
}

/** `content` after `patch`; the version is the caller's, whatever version the patch has. */
export function patchContent(content: LiveryContent, patch: Json, version: string): LiveryContent | undefined {
  const merged = mergePatch(content, patch);
  const next = readBody({ ...(merged as Json), projectId: content.projectId, version }, content.projectId ?? "");
  return next && shareStructure(content, next);
}
