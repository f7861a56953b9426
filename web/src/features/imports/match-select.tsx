/** Chooses how the item of a row is found. */
import { NativeSelect } from "@mantine/core";
import { typeOf } from "@/lib/field-types/known";
import type { Store } from "./queries";

export const FOUND_BY = "A row whose item is not found becomes a new item.";

export function MatchSelect({
  store,
  value,
  onChange,
}: {
  store: Store;
  /** The name of a field; empty for the `_id` of the row. */
  value: string;
  onChange: (value: string) => void;
}) {
  const keys = store.fields.filter((field) => !field.isTranslatable && typeOf(field).isKey);
  return (
    <NativeSelect
      label="An item is found by"
      data={[{ value: "", label: "its _id" }, ...keys.map(({ name }) => ({ value: name, label: `the field ${name}` }))]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
