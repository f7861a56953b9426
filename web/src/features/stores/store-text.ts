/** What the device keeps of a store that is being created or changed. */
import { isRecord } from "@/lib/is-record";
import { draftsIn, draftsOf, type FieldDraft, isSame } from "./field-drafts";
import type { Store, StoreField } from "./queries";

export interface NewStoreText {
  readonly name: string;
  /** Null while it follows the name. */
  readonly identifier: string | null;
  readonly fields: readonly FieldDraft[];
}

/** Null if the stored value is no such text. */
export function newStoreTextIn(stored: unknown): NewStoreText | null {
  if (!isRecord(stored)) return null;
  const { name, identifier = null } = stored;
  const fields = draftsIn(stored["fields"]);
  if (typeof name !== "string" || fields === null) return null;
  return identifier === null || typeof identifier === "string" ? { name, identifier, fields } : null;
}

export interface StoreText {
  readonly name: string;
  readonly fields: readonly FieldDraft[];
  /** What the author saw in the store, so that a colleague's later change is noticed. */
  readonly seen: Pick<Store, "name" | "fields" | "revision">;
}

export const storeSeen = ({ name, fields, revision }: Store): StoreText["seen"] => ({ name, fields, revision });

/** Null if the stored value is no such text, or if it differs in nothing from the store. */
export function storeTextIn(stored: unknown, store: Store): StoreText | null {
  if (!isRecord(stored) || !isSeen(stored["seen"])) return null;
  const { name, seen } = stored;
  const fields = draftsIn(stored["fields"]);
  if (typeof name !== "string" || fields === null) return null;
  return name.trim() === store.name && isSame(fields, draftsOf(store)) ? null : { name, fields, seen };
}

function isSeen(value: unknown): value is StoreText["seen"] {
  if (!isRecord(value) || typeof value["name"] !== "string" || typeof value["revision"] !== "number") return false;
  return Array.isArray(value["fields"]) && value["fields"].every(isStoreField);
}

const isStoreField = (value: unknown): value is StoreField =>
  isRecord(value) && typeof value["_id"] === "string" && draftsIn([{ ...value, row: value["_id"] }]) !== null;
