/** Fills the parameters into a message and chooses its branches. Formatting never throws. */

import { own } from "./content.js";
import { type Choice, HASH, type Part, readMessage } from "./message-parser.js";
import type { TextParams } from "./types.js";

const parsed = new Map<string, readonly Part[]>();
const MAX_PARSED = 500;

function parse(text: string): readonly Part[] {
  let parts = parsed.get(text);
  if (!parts) {
    parts = readMessage(text);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, parts);
  }
  return parts;
}

const rules = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

function remembered<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}

function category(language: string, ordinal: boolean, value: number): string {
  const make = (name: string) => () => new Intl.PluralRules(name, { type: ordinal ? "ordinal" : "cardinal" });
  try {
    return remembered(rules, `${language} ${ordinal}`, make(language)).select(value);
  } catch {
    return remembered(rules, `en ${ordinal}`, make("en")).select(value);
  }
}

function numeral(language: string, value: number): string {
  try {
    return remembered(numbers, language, () => new Intl.NumberFormat(language)).format(value);
  } catch {
    return String(value);
  }
}

function choose(part: Choice, value: unknown, language: string): { branch: readonly Part[]; hash: string | undefined } {
  const other = part.branches.get("other") as readonly Part[];
  if (part.kind === "select") return { branch: part.branches.get(String(value)) ?? other, hash: undefined };
  const count = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(count)) return { branch: other, hash: String(value) };
  const rest = count - part.offset;
  const branch =
    part.branches.get(`=${count}`) ??
    part.branches.get(category(language, part.kind === "selectordinal", rest)) ??
    other;
  return { branch, hash: numeral(language, rest) };
}

function render(parts: readonly Part[], params: TextParams, language: string, hash: string | undefined): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (part === HASH) text += hash ?? "#";
    else {
      const value = own(params, part.name);
      if (value === undefined || value === null) text += part.source;
      else if (part.kind === "argument") text += String(value);
      else {
        const chosen = choose(part, value, language);
        text += render(chosen.branch, params, language, chosen.hash ?? hash);
      }
    }
  }
  return text;
}

/** Fills in `params`. A placeholder without a value, and a malformed message, stay as they are written. */
export function formatMessage(text: string, params: TextParams | undefined, language: string): string {
  if (!params || !text.includes("{")) return text;
  try {
    return render(parse(text), params, language, undefined);
  } catch {
    return text;
  }
}
