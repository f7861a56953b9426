/** What the device keeps of an item that is being written: the edited values, and what their author saw in the item. */
import type { Typed } from "@/lib/field-types/field-type";
import { typeOf } from "@/lib/field-types/known";
import { isRecord } from "@/lib/is-record";
import { isSecretName } from "@/lib/kept-text";
import { type Edits, slotOf, slotsIn, typedOf } from "./item-edits";
import type { Item, StoreField } from "./queries";

export interface ItemText {
  readonly edits: Readonly<Record<string, Typed>>;
  /** Null for a new item. `data` has the edited fields only. */
  readonly seen: Pick<Item, "revision" | "data"> | null;
}

/** Null while nothing is edited. */
export function itemTextOf(
  edits: Edits,
  base: Item | null,
  fields: readonly StoreField[],
  languages: readonly string[],
): ItemText | null {
  const kept: Record<string, Typed> = {};
  const data: Item["data"] = {};
  for (const { field, language } of slotsIn(fields, languages)) {
    const value = edits.get(slotOf(field, language));
    if (value === undefined || isSecretName(field.name)) continue;
    kept[slotOf(field, language)] = value;
    data[field.name] = base?.data[field.name] ?? null;
  }
  if (Object.keys(kept).length === 0) return null;
  return { edits: kept, seen: base === null ? null : { revision: base.revision, data } };
}

/** What of a stored text still differs from the item; null if nothing does, or if the text is not of such an item. */
export function itemTextIn(
  stored: unknown,
  item: Item | null,
  fields: readonly StoreField[],
  languages: readonly string[],
): ItemText | null {
  if (!isRecord(stored) || !isRecord(stored["edits"])) return null;
  const seen = seenIn(stored["seen"]);
  if ((seen === null) !== (item === null)) return null;
  const edits: Record<string, Typed> = {};
  for (const { field, language } of slotsIn(fields, languages)) {
    const value = stored["edits"][slotOf(field, language)];
    if (typeof value !== typeof typeOf(field).typed(undefined) || value === typedOf(item, field, language)) continue;
    edits[slotOf(field, language)] = value as Typed;
  }
  return Object.keys(edits).length === 0 ? null : { edits, seen };
}

/** The item as the author of the text saw it, so that a colleague's later change of the same value is noticed. */
export const itemSeenBy = ({ seen }: ItemText, item: Item | null): Item | null =>
  item === null || seen === null ? item : { ...item, revision: seen.revision, data: { ...item.data, ...seen.data } };

function seenIn(value: unknown): ItemText["seen"] {
  if (!isRecord(value) || typeof value["revision"] !== "number" || !isRecord(value["data"])) return null;
  return { revision: value["revision"], data: value["data"] };
}
