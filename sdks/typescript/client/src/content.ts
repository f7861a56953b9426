/**
 * Content from outside made safe to read: checked shape, plain objects.
 *
 * Maps are plain objects because React server components pass no others to the browser. Keys are other people's words, and `__proto__` and `constructor` are
 * words like any other. So maps are written as a whole (`Object.fromEntries`, spread), which calls no setter, and read by `own`.
 */

import type { LiveryContent, LiveryImage } from "./types.js";
import { parseVersion } from "./version.js";

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function own<Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

const COLOR = /^#[0-9a-f]{6}$/i;

export function isColor(value: unknown): value is string {
  return typeof value === "string" && COLOR.test(value);
}

function keep<Value>(source: unknown, read: (value: unknown) => Value | undefined): Record<string, Value> {
  const all = isObject(source) ? Object.entries(source) : [];
  return Object.fromEntries(
    all.flatMap(([key, given]) => {
      const value = read(given);
      return value === undefined ? [] : [[key, value]];
    }),
  );
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
