/** Renames a key in its cell: one that apps do not have yet. */
import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useRenameKey } from "./rename-key";

export function RenameField({ record }: { record: KeyRecord }) {
  const grid = useGrid();
  const [name, setName] = useState(record.key);
  const isFocused = useRef(false);
  const { rename, error, isPending, clear } = useRenameKey(grid, record);
  const save = async () => {
    if ((await rename(name)) !== null) grid.endRename(record._id, isFocused.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      void save();
    }
    if (event.key === "Escape") {
      event.preventDefault();
      grid.endRename(record._id, true);
    }
  };
  return (
    <TextInput
      size="sm"
      className={classes["rename"]}
      aria-label={`New name for ${record.key}`}
      value={name}
      error={error}
      readOnly={isPending}
      autoFocus
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      onFocus={(event) => {
        isFocused.current = true;
        event.currentTarget.select();
      }}
      onChange={(event) => {
        clear();
        setName(event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        isFocused.current = false;
        if (name.trim() === record.key || name.trim() === "") grid.endRename(record._id, false);
        else void save();
      }}
    />
  );
}
