/** Livery's texts as i18next's texts: choices are made here, and what i18next fills in has i18next's placeholders. */

import { formatMessage, type LiveryContent, type LiveryReader, type TextParams } from "@livery/client";
import { mapName, type TextName } from "@livery/client/adapters";

/** The options of a look-up that matter here. The others are values for placeholders. */
export interface CallOptions {
  readonly keySeparator?: string | false | undefined;
  readonly returnObjects?: boolean | undefined;
  readonly joinArrays?: string | false | undefined;
  readonly count?: unknown;
  readonly replace?: unknown;
}

/** Where the names of one app lead. */
export interface Naming {
  readonly defaultNamespace: string | undefined;
  readonly screen: string | undefined;
}

/** The content shown, over the client's bundle. */
export interface Source {
  readonly content: LiveryContent;
  /** Reads the bundle alone; undefined if the bundle is in a different language. */
  readonly bundle: LiveryReader | undefined;
}

/** No text of a project is equal to this. */
const MISSING = "\0";
const PLURAL = /,\s*(?:plural|selectordinal)\s*,/;

export function nameOf(key: string, namespace: string, naming: Naming, separator: string | false | undefined) {
  const dotted = separator && separator !== "." ? key.split(separator).join(".") : key;
  return mapName(dotted, namespace === naming.defaultNamespace ? undefined : namespace, naming.screen);
}

const texts = ({ content }: Source, screen: string): Readonly<Record<string, string>> =>
  Object.hasOwn(content.texts, screen) ? (content.texts[screen] ?? {}) : {};

export function textOf(source: Source, { screen, key }: TextName): string | undefined {
  const here = texts(source, screen);
  if (Object.hasOwn(here, key)) return here[key];
  const bundled = source.bundle?.t(`${screen}.${key}` as never, MISSING);
  return bundled === MISSING ? undefined : bundled;
}

/** The texts below a name, by what follows the name; a list if that is numbered from 0. Undefined if no text is below it. */
export function textsBelow(
  source: Source,
  { screen, key: below }: TextName,
  format: (text: string) => string,
): Record<string, string> | string[] | undefined {
  const prefix = below.slice(0, -1);
  const found: Record<string, string> = {};
  for (const [key, text] of Object.entries(texts(source, screen))) {
    const rest = key.startsWith(prefix) ? key.slice(prefix.length) : "";
    // A key can't start with a digit, so the name `0` has become `_0`.
    if (rest) found[rest.replace(/^_(?=\d)/, "")] = format(text);
  }
  const names = Object.keys(found);
  if (names.length === 0) return undefined;
  return names.every((name, index) => name === String(index)) ? Object.values(found) : found;
}

/**
 * The names that the message of all plural forms can have, as import gives them: `items` for `items_one`; `place_ordinal`, then
 * `place`, for `place_ordinal_one`.
 */
export function namesOfPlural(form: string, separator = "_"): string[] {
  const literal = separator.replace(/\W/g, "\\$&");
  const parts = new RegExp(`^(.+?)(${literal}ordinal)?${literal}(?:zero|one|two|few|many|other)$`, "s").exec(form);
  if (!parts) return [];
  const [, name = "", ordinal] = parts;
  return ordinal ? [name + ordinal, name] : [name];
}

export const isPlural = (text: string | undefined): boolean => text !== undefined && PLURAL.test(text);

interface Interpolation {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  readonly defaultVariables?: object | undefined;
}

/**
 * Chooses the branches of a message. An argument becomes i18next's placeholder: i18next fills in the value, and escapes it if
 * the app wants that.
 */
export function choose(text: string, language: string, call: CallOptions, interpolation: Interpolation = {}): string {
  const { prefix, suffix, defaultVariables } = interpolation;
  const values = call.replace && typeof call.replace === "object" ? { count: call.count, ...call.replace } : call;
  const params = { ...defaultVariables, ...values } as TextParams;
  return formatMessage(text, params, language, (name) => `${prefix || "{{"}${name}${suffix || "}}"}`);
}
