/** Puts a refused call's messages where they belong: at the fields it names, else into the form's own message. */
import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { ApiError, messageOf } from "./api";

/**
 * Shows each of the server's `fields` at its input. Returns the text for the form's alert, or null when every complaint
 * found its field. `known` are the names of the form's inputs.
 */
export function showRefusal<Values extends FieldValues>(
  error: unknown,
  known: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
  texts: { fallback: string; offline?: string },
): string | null {
  if (error instanceof ApiError) {
    const named = Object.entries(error.fields);
    const shown = named.flatMap(([name, message]) => {
      const field = known.find((candidate) => candidate === name);
      if (field === undefined) return [];
      setError(field, { type: "server", message }, { shouldFocus: true });
      return [field];
    });
    if (named.length > 0 && shown.length === named.length) return null;
  }
  return messageOf(error, texts.fallback, texts.offline);
}
