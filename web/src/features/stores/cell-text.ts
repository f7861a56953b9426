/** Values of items as the table shows, sorts and filters them. */
import { cut } from "@/lib/text";
import { formatUtcDay } from "@/lib/time";
import type { Item, StoreField } from "./queries";

/** So many characters of a value stand in the table. */
const SHOWN = 50;

export const isPerLanguage = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an item has in a field, in a language where the field is translated; undefined for nothing. */
export function valueIn(item: Pick<Item, "data">, field: StoreField, language: string): unknown {
  const value = item.data[field.name];
  const found = field.isTranslatable && isPerLanguage(value) ? value[language] : value;
  return found === null || found === "" ? undefined : found;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The words of formatted text. What is not a tag stays text: this is for reading, never for markup. */
export function wordsOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .replace(/ ([.,;:!?])/g, "$1")
    .trim();
}

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** A value in words; "" for none. */
export function textOf(value: unknown, { type }: Pick<StoreField, "type">): string {
  if (value === undefined || value === null) return "";
  if (type === "Boolean") return value === true ? "Yes" : "No";
  if (type === "Number") return typeof value === "number" ? number.format(value) : String(value);
  if (typeof value !== "string") return String(value);
  if (type === "Date") return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatUtcDay(`${value}T00:00:00Z`) : value;
  return type === "RichText" ? wordsOf(value) : value;
}

/** As `textOf`, in one line and cut. */
export const shownText = (value: unknown, field: Pick<StoreField, "type">): string =>
  cut(textOf(value, field).replace(/\s+/g, " "), SHOWN);

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Orders two values of one field; who has none comes last, whichever way it is sorted. */
export function compareValues(a: unknown, b: unknown, field: Pick<StoreField, "type">, direction: 1 | -1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return (a - b) * direction;
  if (typeof a === "boolean" && typeof b === "boolean") return (Number(a) - Number(b)) * direction;
  if (field.type === "Date") return (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0) * direction;
  return collator.compare(textOf(a, field), textOf(b, field)) * direction;
}

/** The address of a picture that this server keeps; null for any other, which the page's policy would not load. */
export function pictureOf(value: unknown, width: 64 | 256): string | null {
  if (typeof value !== "string" || value === "") return null;
  try {
    const { origin, pathname } = new URL(value, window.location.origin);
    return origin === window.location.origin && pathname.startsWith("/media/") ? `${pathname}?w=${width}` : null;
  } catch {
    return null;
  }
}

/** What an item is called in dialogs: its first text, else nothing more than 'this item'. */
export function labelOf(item: Pick<Item, "data">, fields: readonly StoreField[], language: string): string {
  for (const field of fields) {
    if (field.type !== "String") continue;
    const text = shownText(valueIn(item, field, language), field);
    if (text !== "") return `“${text}”`;
  }
  return "this item";
}
