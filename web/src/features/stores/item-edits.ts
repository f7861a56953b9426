/**
 * What is being written into an item: only the values that differ from what the item has, each by its field and
 * language. So nothing else is sent, and what colleagues write elsewhere in the item stays.
 */

import type { Typed } from "@/lib/field-types/field-type";
import { typeOf } from "@/lib/field-types/known";
import { isPerLanguage, valueIn } from "./cell-text";
import type { ItemData } from "./item-writes";
import type { Item, StoreField } from "./queries";

/** By slot. */
export type Edits = ReadonlyMap<string, Typed>;

/** A place for a value: a field, with a language if it is translatable. */
export const slotOf = (field: StoreField, language: string): string =>
  field.isTranslatable ? `${field._id}/${language}` : field._id;

const empty: Pick<Item, "data"> = { data: {} };

/** What the item has there, as the input shows it. */
export function typedOf(item: Item | null, field: StoreField, language: string): Typed {
  return typeOf(field).typed(valueIn(item ?? empty, field, language));
}

export function shownIn(edits: Edits, item: Item | null, field: StoreField, language: string): Typed {
  return edits.get(slotOf(field, language)) ?? typedOf(item, field, language);
}

/** The edits with another edit; a value that the item has already is no edit. */
export function withEdit(edits: Edits, item: Item | null, field: StoreField, language: string, value: Typed): Edits {
  const next = new Map(edits);
  if (value === typedOf(item, field, language)) next.delete(slotOf(field, language));
  else next.set(slotOf(field, language), value);
  return next;
}

/** Without what the item has by now, as after somebody else wrote the same. */
export function stillDifferent(
  edits: Edits,
  item: Item,
  fields: readonly StoreField[],
  languages: readonly string[],
): Edits {
  let next = edits;
  for (const { field, language } of slotsIn(fields, languages)) {
    const value = edits.get(slotOf(field, language));
    if (value !== undefined) next = withEdit(next, item, field, language, value);
  }
  return next;
}

export function* slotsIn(fields: readonly StoreField[], languages: readonly string[]) {
  for (const field of fields) {
    for (const language of field.isTranslatable ? languages : languages.slice(0, 1)) yield { field, language };
  }
}

/** Returns the payload: the edited values, null for emptied values. `languages` begins with the default language. */
export function payloadOf(
  edits: Edits,
  item: Item | null,
  fields: readonly StoreField[],
  languages: readonly string[],
): ItemData {
  const data: ItemData = {};
  for (const { field, language } of slotsIn(fields, languages)) {
    const edited = edits.get(slotOf(field, language));
    // An untouched switch counts as off. That is sent for a new item, and for a required field without a value.
    const isUnsaid =
      typeof typeOf(field).typed(undefined) === "boolean" &&
      language === languages[0] &&
      (item === null || field.required) &&
      valueIn(item ?? empty, field, language) === undefined;
    const value = edited === undefined ? (isUnsaid ? false : undefined) : typeOf(field).sent(edited);
    if (value === undefined || (item === null && value === null)) continue;
    if (!field.isTranslatable) data[field.name] = value;
    else
      data[field.name] = {
        ...(isPerLanguage(data[field.name]) ? (data[field.name] as ItemData) : {}),
        [language]: value,
      };
  }
  return data;
}

/** A required value of the default language that is not there; null when all are. */
export function firstMissing(
  edits: Edits,
  item: Item | null,
  fields: readonly StoreField[],
  defaultLanguage: string,
): StoreField | null {
  const isMissing = (field: StoreField) => {
    if (!field.required) return false;
    const value = shownIn(edits, item, field, defaultLanguage);
    return typeof value === "string" && value.trim() === "";
  };
  return fields.find(isMissing) ?? null;
}

/** The fields that both an edit here and somebody else since `before` changed, by slot. */
export function clashesOf(
  edits: Edits,
  before: Item,
  now: Item,
  fields: readonly StoreField[],
  languages: readonly string[],
): { field: StoreField; language: string }[] {
  return [...slotsIn(fields, languages)].filter(({ field, language }) => {
    const mine = edits.get(slotOf(field, language));
    const theirs = typedOf(now, field, language);
    return mine !== undefined && theirs !== typedOf(before, field, language) && theirs !== mine;
  });
}
