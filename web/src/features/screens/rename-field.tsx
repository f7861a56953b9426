/** Renames in its cell a key that apps do not have yet. */
import { TextInput } from "@mantine/core";
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useKeptName, useRenameKey } from "./rename-key";

export function RenameField({ record }: { record: KeyRecord }) {
  const grid = useGrid();
  const [name, setName] = useState(record.key);
  const isFocused = useRef(false);
  const { rename, error, isPending, clear } = useRenameKey(grid, record);
  const kept = useKeptName(grid, record, name);
  const form = useRef<HTMLFormElement>(null);
  const isOffered = kept.offer !== null;
  useEffect(() => {
    // The row that adds keys would cover an offer in a row above it.
    if (isOffered) form.current?.scrollIntoView({ block: "nearest" });
  }, [isOffered]);
  const end = (refocus: boolean) => {
    kept.forget();
    grid.endRename(record._id, refocus);
  };
  const save = async () => {
    if ((await rename(name)) !== null) end(isFocused.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      void save();
    }
    if (event.key === "Escape") {
      event.preventDefault();
      end(true);
    }
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // The buttons that offer kept text are a part of the field.
    if (currentTarget.contains(relatedTarget)) return;
    isFocused.current = false;
    if (name.trim() === record.key || name.trim() === "") end(false);
    else void save();
  };
  return (
    <form
      className={look({ layout: "grid", gap: 8, grow: true, shrink: true, monoField: true }, classes["rename"])}
      ref={form}
      aria-label={`Rename ${record.key}`}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onMouseDown={(event) => {
        // Safari gives a clicked button no focus, so the click would end the renaming.
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
      }}
      onFocus={() => {
        isFocused.current = true;
      }}
      onBlur={onBlur}
    >
      <TextInput
        size="sm"
        aria-label={`New name for ${record.key}`}
        value={name}
        error={error}
        readOnly={isPending}
        autoFocus
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          clear();
          setName(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <KeptNotice kept={kept} onContinue={setName} />
    </form>
  );
}
