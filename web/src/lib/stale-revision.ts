/** What a refusal for a stale revision holds: the present record, and who edited it last. */
import { ApiError } from "./api";
import { isRecord } from "./is-record";

/** Returns the person that the error of a call names as the last editor; undefined if it names nobody. */
export function authorIn(error: unknown): string | undefined {
  const by = error instanceof ApiError && isRecord(error.body) ? error.body["by"] : undefined;
  return typeof by === "string" ? by : undefined;
}

/** Returns the last editor that the error of a call names, to begin a sentence with: `Somebody else` if it names nobody. */
export const editorIn = (error: unknown): string => authorIn(error) ?? "Somebody else";

/** Returns the record as it is now, from a refusal because somebody else changed it; undefined for a different error. */
export function currentIn<Record>(error: unknown): Record | undefined {
  if (!(error instanceof ApiError) || error.code !== "stale_revision" || !isRecord(error.body)) return undefined;
  const { current } = error.body;
  return isRecord(current) ? (current as Record) : undefined;
}
