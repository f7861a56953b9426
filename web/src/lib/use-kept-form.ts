/** Keeps what is typed into a form of react-hook-form. Keeps the named fields that the person changed. */
import { type FieldPathValue, type Path, type UseFormReturn, useWatch } from "react-hook-form";
import { isRecord } from "./is-record";
import { type FormPlace, type KeptText, useKeepTyped, useKeptText } from "./use-kept-text";

/** Field values by name, and the record as the person saw it. */
export interface FormText {
  readonly fields: Readonly<Record<string, string>>;
  readonly seen?: unknown;
}

export interface KeptForm extends KeptText<FormText> {
  /** Puts the offered text into the form. */
  readonly resume: (offered: FormText) => void;
}

export function useKeptForm<Values extends Record<string, string>>(
  form: UseFormReturn<Values>,
  place: FormPlace,
  names: readonly Path<Values>[],
  seen?: unknown,
): KeptForm {
  const saved = (name: Path<Values>): unknown => form.formState.defaultValues?.[name];
  /** The texts that differ from what the form began with, or null. */
  const changesIn = (values: Readonly<Record<string, unknown>>): Record<string, string> | null => {
    const changed = names.flatMap((name): [string, string][] => {
      const value = values[name];
      return typeof value === "string" && value !== saved(name) ? [[name, value]] : [];
    });
    return changed.length === 0 ? null : Object.fromEntries(changed);
  };
  const kept = useKeptText<FormText>(place, (stored) => {
    if (!isRecord(stored) || !isRecord(stored["fields"])) return null;
    const fields = changesIn(stored["fields"]);
    return fields === null ? null : { fields, seen: stored["seen"] };
  });
  const typed = useWatch({ control: form.control, name: names });
  const fields = changesIn(Object.fromEntries(names.map((name, index) => [name, typed[index]])));
  useKeepTyped(kept, fields === null ? null : { fields, seen });
  return {
    ...kept,
    resume: (offered) => {
      for (const name of names) {
        const value = offered.fields[name];
        if (value === undefined) continue;
        form.setValue(name, value as FieldPathValue<Values, Path<Values>>, { shouldDirty: true });
      }
    },
  };
}
