/** A key's name, its menu, and its renaming in place. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import toast from "react-hot-toast";
import { IconCopy, IconDots, IconPencil, IconTrash } from "@/ui/icons";
import { MenuButton } from "@/ui/menu-button";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import { useRenameKey } from "./key-writes";
import type { KeyRecord } from "./queries";
import type { CellPlace } from "./value-cell";

const look = { position: "bottom-start", width: 190, shadow: "none" } as const;

export function KeyCell({
  record,
  isRenaming,
  column,
  isActive,
  isTabStop,
}: CellPlace & { record: KeyRecord; isRenaming: boolean }) {
  const grid = useGrid();
  return (
    <div
      role="rowheader"
      tabIndex={isRenaming ? undefined : isTabStop ? 0 : -1}
      data-column={column}
      className={classes["key"]}
      aria-label={isRenaming ? undefined : record.key}
      onFocus={(event) => {
        if (event.target === event.currentTarget) grid.noteFocus(record._id, column);
      }}
      onDoubleClick={() => {
        if (!grid.isReadOnly) grid.startRename(record._id);
      }}
    >
      {isRenaming ? (
        <RenameField record={record} />
      ) : (
        <>
          <span className={classes["keyName"]}>{record.key}</span>
          <KeyMenu record={record} isReachable={isActive} />
        </>
      )}
    </div>
  );
}

function KeyMenu({ record, isReachable }: { record: KeyRecord; isReachable: boolean }) {
  const grid = useGrid();
  const address = `${grid.screen}.${record.key}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toast.success(`${address} copied`);
    } catch {
      toast.error("Copying is not allowed here. Select the key and copy it by hand.");
    }
  };
  const copying = {
    label: "Copy key",
    icon: <IconCopy size={15} aria-hidden="true" />,
    onClick: () => void copy(),
  };
  const renaming = {
    label: "Rename",
    icon: <IconPencil size={15} aria-hidden="true" />,
    onClick: () => grid.startRename(record._id),
  };
  const deleting = {
    label: "Delete",
    icon: <IconTrash size={15} aria-hidden="true" />,
    color: "red",
    onClick: () => grid.askToDelete(record),
  };
  return (
    <MenuButton
      size={24}
      className={classes["keyMenu"] ?? ""}
      tabIndex={isReachable ? 0 : -1}
      aria-label={`Actions for ${record.key}`}
      entries={grid.isReadOnly ? [copying] : [copying, renaming, deleting]}
      look={look}
    >
      <IconDots size={15} aria-hidden="true" />
    </MenuButton>
  );
}

function RenameField({ record }: { record: KeyRecord }) {
  const grid = useGrid();
  const [name, setName] = useState(record.key);
  const isFocused = useRef(false);
  const { rename, error, isPending, clear } = useRenameKey(grid, record);
  const save = async () => {
    if (await rename(name)) grid.endRename(record._id, isFocused.current);
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
