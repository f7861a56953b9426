/** A key's name, its menu, and its renaming in place. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { ActionIcon, Menu, TextInput } from "@mantine/core";
import { IconCopy, IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import toast from "react-hot-toast";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import { useRenameKey } from "./key-writes";
import type { KeyRecord } from "./queries";
import type { CellPlace } from "./value-cell";

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
  return (
    <Menu position="bottom-start" width={190} shadow="none" returnFocus>
      <Menu.Target>
        <ActionIcon
          size={24}
          className={classes["keyMenu"]}
          tabIndex={isReachable ? 0 : -1}
          aria-label={`Actions for ${record.key}`}
        >
          <IconDots size={15} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={15} aria-hidden="true" />} onClick={() => void copy()}>
          Copy key
        </Menu.Item>
        {!grid.isReadOnly && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={15} aria-hidden="true" />}
              onClick={() => grid.startRename(record._id)}
            >
              Rename
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={15} aria-hidden="true" />}
              onClick={() => grid.askToDelete(record)}
            >
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
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
