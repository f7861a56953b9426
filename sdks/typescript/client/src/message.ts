/** Fills the parameters into a message and chooses its branches. Formatting never throws. */

import { own } from "./content.js";
import { type Choice, HASH, type Part, readMessage } from "./message-parser.js";
import type { TextParams } from "./types.js";

/** What stands for an argument in the text; undefined: the placeholder as it is written. */
export type WriteArgument = (name: string, value: TextParams[string]) => string | undefined;

const writeValue: WriteArgument = (_, value) => (value === undefined || value === null ? undefined : String(value));

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

/** What `make` gives for a language; for a language that nobody knows, what it gives for English. */
function remembered<Value>(
  cache: Map<string, Value>,
  key: string,
  language: string,
  make: (language: string) => Value,
): Value {
  let known = cache.get(key);
  if (!known) {
    try {
      known = make(language);
    } catch {
      known = make("en");
    }
    cache.set(key, known);
  }
  return known;
}

const category = (language: string, ordinal: boolean, value: number): string =>
  remembered(
    rules,
    `${language} ${ordinal}`,
    language,
    (name) => new Intl.PluralRules(name, { type: ordinal ? "ordinal" : "cardinal" }),
  ).select(value);

const numeral = (language: string, value: number): string =>
  remembered(numbers, language, language, (name) => new Intl.NumberFormat(name)).format(value);

interface Rendering {
  readonly params: TextParams;
  readonly language: string;
  readonly write: WriteArgument;
}

/** `hash` is undefined where `#` is not the number of this choice. */
function choose(
  part: Choice,
  value: TextParams[string],
  { language, write }: Rendering,
): { branch: readonly Part[]; hash: string | undefined } {
  const other = part.branches.get("other") as readonly Part[];
  if (part.kind === "select") return { branch: part.branches.get(String(value)) ?? other, hash: undefined };
  const count = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(count)) return { branch: other, hash: write(part.name, value) };
  const rest = count - part.offset;
  const branch =
    part.branches.get(`=${count}`) ??
    part.branches.get(category(language, part.kind === "selectordinal", rest)) ??
    other;
  return { branch, hash: numeral(language, rest) };
}

function render(parts: readonly Part[], rendering: Rendering, hash: string | undefined): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (part === HASH) text += hash ?? "#";
    else {
      const value = own(rendering.params, part.name);
      if (part.kind === "argument") text += rendering.write(part.name, value) ?? part.source;
      else if (value === undefined || value === null) text += part.source;
      else {
        const chosen = choose(part, value, rendering);
        text += render(chosen.branch, rendering, chosen.hash ?? hash);
      }
    }
  }
  return text;
}

/**
 * Fills in `params`. A placeholder without a value, and a malformed message, stay as they are written. `write` returns the text for
 * an argument, so that another library can fill in the values while the branches are chosen here.
 */
export function formatMessage(
  text: string,
  params: TextParams | undefined,
  language: string,
  write: WriteArgument = writeValue,
): string {
  if (!params || !text.includes("{")) return text;
  try {
    return render(parse(text), { params, language, write }, undefined);
  } catch {
    return text;
  }
}
