/** The fields of a store while they are written, and what must be true of them. */
import { fieldTypes } from "@/lib/field-types/known";
import { FIELD_NAME_CHARACTERS } from "@/lib/limits.gen";
import { randomId } from "@/lib/random-id";
import type { FieldType, Store, StoreField } from "./queries";

export interface FieldDraft {
  /** Identifies a row while rows move. */
  readonly row: string;
  /** The id of the field, if the store has the field already. */
  readonly _id?: string;
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly isTranslatable: boolean;
}

export const newField = (): FieldDraft => ({
  row: randomId(),
  name: "",
  type: "String",
  required: false,
  isTranslatable: false,
});

export const draftsOf = (store: Store): FieldDraft[] =>
  store.fields.map((field: StoreField) => ({ ...field, row: field._id }));

/** The rows of a list that the device kept, or null if it is no such list. */
export function draftsIn(stored: unknown): FieldDraft[] | null {
  return Array.isArray(stored) && stored.every(isDraft) ? stored : null;
}

function isDraft(value: unknown): value is FieldDraft {
  if (typeof value !== "object" || value === null) return false;
  const { row, _id, name, type, required, isTranslatable } = value as Partial<Record<keyof FieldDraft, unknown>>;
  return (
    typeof row === "string" &&
    (_id === undefined || typeof _id === "string") &&
    typeof name === "string" &&
    fieldTypes.some(({ name: known }) => known === type) &&
    typeof required === "boolean" &&
    typeof isTranslatable === "boolean"
  );
}

/** As it was added: nobody has chosen anything yet. */
export const isBlank = ({ name, type, required, isTranslatable }: FieldDraft): boolean =>
  name.trim() === "" && type === "String" && !required && !isTranslatable;

/** Whether two lists have the same fields with the same settings, in the same order. */
export const isSame = (one: readonly FieldDraft[], other: readonly FieldDraft[]): boolean =>
  one.length === other.length &&
  one.every(({ row, name, type, required, isTranslatable }, index) => {
    const also = other[index];
    return (
      row === also?.row &&
      name.trim() === also.name &&
      type === also.type &&
      required === also.required &&
      isTranslatable === also.isTranslatable
    );
  });

/** Trimmed, in lower case, white space as underscores, and nothing but a-z, 0-9 and _. */
export const identifierOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, "_")
    .replace(/[^a-z0-9_]/g, "");

export interface FieldProblems {
  /** By the field's row. */
  readonly rows: ReadonlyMap<string, string>;
  /** For the list as a whole. */
  readonly message: string | null;
}

const nothing: FieldProblems = { rows: new Map(), message: null };

/** Returns what is wrong with the names, in the words of the specification. */
export function checkFields(fields: readonly FieldDraft[]): FieldProblems {
  const unnamed = fields.filter(({ name }) => name.trim() === "");
  if (unnamed.length > 0) return problems(unnamed, "All fields must have a name.");
  const seen = new Set<string>();
  const doubled = fields.filter(({ name }) => {
    const key = name.trim();
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
  if (doubled.length > 0) return problems(doubled, "Field names must be unique.");
  const odd = fields.filter(({ name }) => refusedName(name.trim()));
  if (odd.length > 0) {
    return problems(
      odd,
      `Field names have up to ${FIELD_NAME_CHARACTERS} characters and don't start with an underscore.`,
    );
  }
  return nothing;
}

const refusedName = (name: string) =>
  name.length > FIELD_NAME_CHARACTERS || name.startsWith("_") || name in Object.prototype || /\p{Cc}/u.test(name);

const problems = (fields: readonly FieldDraft[], message: string): FieldProblems => ({
  rows: new Map(fields.map(({ row }) => [row, message])),
  message,
});

/** The list with one field a place up (-1) or down (1). */
export function moved(fields: readonly FieldDraft[], index: number, by: -1 | 1): FieldDraft[] {
  const next = [...fields];
  const [field] = next.splice(index, 1);
  if (field !== undefined) next.splice(index + by, 0, field);
  return next;
}
