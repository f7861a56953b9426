/** JSON Merge Patches, applied to content. */

import { emptyMap, isObject, own, readBody } from "./content.js";
import { shareStructure } from "./sharing.js";
import type { LiveryContent } from "./types.js";

type Json = Record<string, unknown>;

/** RFC 7396. Changes neither argument; branches that the patch does not touch are the target's own objects. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = emptyMap<unknown>();
  if (isObject(target)) for (const key of Object.keys(target)) merged[key] = target[key];
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) delete merged[key];
    else merged[key] = mergePatch(own(merged, key), change);
  }
  return merged;
}

/** `content` after `patch`; the version is the caller's, whatever version the patch has. */
export function patchContent(content: LiveryContent, patch: Json, version: string): LiveryContent | undefined {
  const merged = mergePatch(content, patch);
  const next = readBody({ ...(merged as Json), projectId: content.projectId, version }, content.projectId ?? "");
  return next && shareStructure(content, next);
}
