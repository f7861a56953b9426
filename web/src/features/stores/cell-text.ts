/** Values of items as the table shows, sorts and filters them. */
import { textOf, typeOf } from "@/lib/field-types/known";
import { cut } from "@/lib/text";
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

/** As `textOf`, in one line and cut. */
export const shownText = (value: unknown, field: Pick<StoreField, "type">): string =>
  cut(textOf(value, field).replace(/\s+/g, " "), SHOWN);

/** Orders two values of one field; a missing value comes last in both directions. */
export function compareValues(a: unknown, b: unknown, field: Pick<StoreField, "type">, direction: 1 | -1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return typeOf(field).compare(a, b) * direction;
}

/** What an item is called in dialogs: its first text, else nothing more than 'this item'. */
export function labelOf(item: Pick<Item, "data">, fields: readonly StoreField[], language: string): string {
  for (const field of fields) {
    const { isText, hasMarkup } = typeOf(field);
    if (!isText || hasMarkup) continue;
    const text = shownText(valueIn(item, field, language), field);
    if (text !== "") return `“${text}”`;
  }
  return "this item";
}
