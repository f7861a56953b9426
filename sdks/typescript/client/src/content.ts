/** Content from outside made safe to read: checked shape, prototype-free maps, merge patches, shared structure. */

import type { LiveryContent, LiveryImage } from "./types.js";
import { parseVersion } from "./version.js";

type Json = Record<string, unknown>;

/** Keys are other people's words: on a map without a prototype `__proto__` and `constructor` are words like any other. */
export function emptyMap<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function own<Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Keeps at most five: what was written longest ago goes. */
export function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.delete(key);
  memory.set(key, value);
  for (const oldest of memory.keys()) if (memory.size > MAX_REMEMBERED) memory.delete(oldest);
}

const MAX_REMEMBERED = 5;
const COLOR = /^#[0-9a-f]{6}$/i;

export function isColor(value: unknown): value is string {
  return typeof value === "string" && COLOR.test(value);
}

function keep<Value>(source: unknown, read: (value: unknown) => Value | undefined): Record<string, Value> {
  const kept = emptyMap<Value>();
  if (!isObject(source)) return kept;
  for (const key of Object.keys(source)) {
    const value = read(source[key]);
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

const readText = (value: unknown) => (typeof value === "string" ? value : undefined);
const readColor = (value: unknown) => (isColor(value) ? value : undefined);
const readScreen = (value: unknown) => (isObject(value) ? keep(value, readText) : undefined);

function readImage(value: unknown): LiveryImage | undefined {
  if (!isObject(value)) return undefined;
  const { url, width, height, thumbhash } = value;
  if (typeof url !== "string" || typeof width !== "number" || typeof height !== "number") return undefined;
  return { url, width, height, ...(typeof thumbhash === "string" && { thumbhash }) };
}

/** Takes the known fields in their known types; what has another type is left out, as if it were missing. */
export function readContent(source: unknown): LiveryContent | undefined {
  if (!isObject(source)) return undefined;
  const version = parseVersion(source.version);
  const language = readText(source.language) ?? "";
  const languages = Array.isArray(source.languages) ? source.languages.filter((one) => typeof one === "string") : [];
  return {
    projectId: readText(source.projectId),
    version: version ? (source.version as string) : undefined,
    release: version?.release ?? 0,
    language,
    languages: languages.length > 0 || language === "" ? languages : [language],
    texts: keep(source.texts, readScreen),
    colors: keep(source.colors, readColor),
    images: keep(source.images, readImage),
    stores: keep(source.stores, readText),
  };
}

/** A body of the content call for this project; undefined where it is no such body, so that nothing half-read is applied. */
export function readBody(source: unknown, projectId: string): LiveryContent | undefined {
  if (!isObject(source) || source.projectId !== projectId) return undefined;
  if (!isObject(source.texts) || !isObject(source.colors) || typeof source.language !== "string") return undefined;
  const content = readContent(source);
  return content?.version === undefined ? undefined : content;
}

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
