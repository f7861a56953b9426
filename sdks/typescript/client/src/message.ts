/** Fills the parameters into a message and chooses its branches. Formatting never throws. */

import { own } from "./content.js";
import { type Argument, type Choice, HASH, type Part, readMessage } from "./message-parser.js";
import type { TextParams, WriteArgument } from "./types.js";

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

interface Formats {
  PluralRules: Intl.PluralRules;
  NumberFormat: Intl.NumberFormat;
  DateTimeFormat: Intl.DateTimeFormat;
}
const made = new Map<string, Formats[keyof Formats]>();

/** What `Intl` makes for a language, kept by its kind and `key`; for a language that nobody knows, what it makes for English. */
function intl<Kind extends keyof Formats>(kind: Kind, language: string, key: string, options: object): Formats[Kind] {
  const place = [kind, language, key].join();
  let known = made.get(place) as Formats[Kind] | undefined;
  if (!known) {
    const make = Intl[kind] as unknown as new (language: string, options: object) => Formats[Kind];
    try {
      known = new make(language, options);
    } catch {
      known = make && new make("en", options);
    }
    made.set(place, known);
  }
  return known;
}

/** The number that a value is; `NaN` for any other value. */
const numberOf = (value: TextParams[string]): number =>
  typeof value === "string" && !value.trim() ? Number.NaN : Number(value);

/** A string of ISO 8601: its time, and the zone of it. Without a zone it means that day and time everywhere. */
const ISO = /^\d{4}-\d\d-\d\d(T.+?(Z|[+-].+)?)?$/;

/** The styles of numbers: a currency, a number of decimals, whole numbers, per cent. */
export const NUMBER_STYLES = /^(?:::currency\/([A-Z]{3})|::\.(0{1,20})|(integer)|(?:::)?(percent))$/;

/** A number as the language writes it. */
function numeral(language: string, value: number, style = ""): string {
  const [, currency, decimals, integer, percent] = NUMBER_STYLES.exec(style) ?? [];
  const digits = integer ? 0 : decimals?.length;
  return intl("NumberFormat", language, style, {
    style: percent ?? (currency ? "currency" : "decimal"),
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** The styles of dates and times beside `medium`, which they have without a style. */
export const DATE_STYLES = /^(short|long|full)$/;

/** A value as the language writes values of the type; undefined for a value of another type. */
function typed(
  { type, style = "" }: Argument,
  value: TextParams[string],
  { language, zone }: Rendering,
): string | undefined {
  if (!type || value === null) return undefined;
  if (type === "number") {
    const number = numberOf(value);
    return Number.isNaN(number) ? undefined : numeral(language, number, style);
  }
  const isText = typeof value === "string";
  const [whole = "", time, zoned] = (isText && ISO.exec(value)) || [];
  const at = +new Date(isText ? (time ? whole : `${whole}T00:00`) : Number(value)); // not a number outside of the range of dates
  if (Number.isNaN(at)) return undefined;
  const known = DATE_STYLES.test(style) ? style : "medium";
  const timeZone = isText && !zoned ? undefined : zone; // a text without a zone was read in that of the device
  return intl("DateTimeFormat", language, type + known + timeZone, { [`${type}Style`]: known, timeZone }).format(at);
}

interface Rendering {
  readonly params: TextParams;
  readonly language: string;
  readonly write: WriteArgument;
  readonly zone: string | undefined;
}

/** The text of the branch that the value chooses. `hash` is what `#` was outside. */
function choose(part: Choice, value: TextParams[string], rendering: Rendering, hash: string | undefined): string {
  const { branches, kind, name, offset } = part;
  const other = branches.get("other") as readonly Part[];
  if (kind === "select") return render(branches.get(String(value)) ?? other, rendering, hash);
  const count = numberOf(value);
  if (Number.isNaN(count)) return render(other, rendering, rendering.write(name, value) ?? hash);
  const { language } = rendering;
  const rest = count - offset;
  const type = kind === "plural" ? "cardinal" : "ordinal";
  // Some engines of React Native have no such rules.
  const rules: Intl.PluralRules | undefined = intl("PluralRules", language, type, { type });
  const branch = branches.get(`=${count}`) ?? branches.get(rules?.select(rest) as string) ?? other;
  return render(branch, rendering, numeral(language, rest));
}

function render(parts: readonly Part[], rendering: Rendering, hash: string | undefined): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (part === HASH) text += hash ?? "#";
    else {
      const value = own(rendering.params, part.name);
      if (part.kind === "argument")
        text += typed(part, value, rendering) ?? rendering.write(part.name, value) ?? part.source;
      else if (value === undefined || value === null) text += part.source;
      else text += choose(part, value, rendering, hash);
    }
  }
  return text;
}

/**
 * Fills in `params`. A placeholder without a value, and a malformed message, stay as they are written. `write` returns the text for
 * an argument, so that another library can fill in the values while the branches are chosen here. Moments are shown in the zone
 * `zone` (`Europe/Berlin`), else in that of the device.
 */
export function formatMessage(
  text: string,
  params: TextParams | undefined,
  language: string,
  write: WriteArgument = writeValue,
  zone?: string,
): string {
  if (!params || !text.includes("{")) return text;
  try {
    return render(parse(text), { params, language, write, zone }, undefined);
  } catch {
    return text;
  }
}
