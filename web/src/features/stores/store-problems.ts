/** What is wrong with a store that is being written, and where it is shown. */
import { ApiError } from "@/lib/api";
import type { FieldDraft, FieldProblems } from "./field-drafts";

export interface StoreProblems {
  readonly name?: string;
  readonly apiIdentifier?: string;
  readonly fields: FieldProblems;
  readonly form: string | null;
}

export const noProblems: StoreProblems = { fields: { rows: new Map(), message: null }, form: null };

/** The server's words at the inputs they name (`name`, `fields.0.name`), `message` for the rest. */
export function problemsIn(error: unknown, fields: readonly FieldDraft[], message: string): StoreProblems {
  if (!(error instanceof ApiError)) return { ...noProblems, form: message };
  const rows = new Map<string, string>();
  const named: { name?: string; apiIdentifier?: string } = {};
  let isPlaced = Object.keys(error.fields).length > 0;
  for (const [path, text] of Object.entries(error.fields)) {
    const row = fields[Number(/^fields\.(\d+)/.exec(path)?.[1] ?? -1)]?.row;
    if (row !== undefined) rows.set(row, text);
    else if (path === "name" || path === "apiIdentifier") named[path] = text;
    else isPlaced = false;
  }
  return { ...named, fields: { rows, message: null }, form: isPlaced ? null : message };
}
