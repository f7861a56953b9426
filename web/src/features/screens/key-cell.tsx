/** A key's name, its menu, and its renaming in place. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { useDiscard } from "@/lib/discarding";
import { copyText } from "@/ui/copy-button";
import { IconArrowBackUp, IconCopy, IconCursorText, IconDots, IconPencil, IconTrash } from "@/ui/icons";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { MenuButton } from "@/ui/menu-button";
import type { MenuLine } from "@/ui/menu-list";
import { Text } from "@/ui/parts";
import { shownLanguages } from "./filters";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import type { CellPlace } from "./value-cell";

const field = later(
  async () => (await import("./rename-field")).RenameField,
  ({ record }) => (
    <Text as="span" grow shrink size="note" lineH={21} breaks code>
      {record.key}
    </Text>
  ),
);
const dialog = later(async () => (await import("./rename-key-dialog")).RenameKeyDialog, null);

/** Fetches what renames a key. */
export function useRenameCode(): void {
  field.useFetched();
  dialog.useFetched();
}

const menuLook = { position: "bottom-start", width: 240, shadow: "none" } as const;

export function KeyCell({
  record,
  isRenaming,
  column,
  isActive,
  isTabStop,
}: CellPlace & { record: KeyRecord; isRenaming: boolean }) {
  const grid = useGrid();
  const isLocked = record.state === "published" || record.state === "changed";
  return (
    <div
      className={look({ layout: "row", align: "start", gap: 6, touch: true }, classes["key"])}
      role="rowheader"
      tabIndex={isRenaming && !isLocked ? undefined : isTabStop ? 0 : -1}
      data-column={column}
      aria-label={isRenaming && !isLocked ? undefined : record.key}
      onFocus={(event) => {
        if (event.target === event.currentTarget) grid.noteFocus(record._id, column);
      }}
      onDoubleClick={() => {
        if (!grid.isReadOnly) grid.startRename(record._id);
      }}
    >
      {isRenaming && !isLocked ? (
        <field.Part record={record} />
      ) : (
        <>
          <Text as="span" grow shrink size="note" lineH={21} breaks code>
            {record.key}
          </Text>
          <KeyMenu record={record} isReachable={isActive} isLocked={isLocked} />
          {isRenaming && <dialog.Part record={record} />}
        </>
      )}
    </div>
  );
}

function KeyMenu({ record, isReachable, isLocked }: { record: KeyRecord; isReachable: boolean; isLocked: boolean }) {
  const grid = useGrid();
  const discarding = useDiscardLines(record);
  const address = `${grid.screen}.${record.key}`;
  const copying = {
    label: "Copy key",
    icon: <IconCopy size={15} aria-hidden="true" />,
    onClick: () => void copyText(address, `${address} copied`),
  };
  const editing = {
    label: "Edit",
    icon: <IconPencil size={15} aria-hidden="true" />,
    onClick: () => grid.open(record, grid.columns.source),
  };
  const renaming = {
    label: isLocked ? "Rename…" : "Rename",
    icon: <IconCursorText size={15} aria-hidden="true" />,
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
      className={look({ reveal: true }, classes["keyMenu"])}
      tabIndex={isReachable ? 0 : -1}
      aria-label={`Actions for ${record.key}`}
      entries={grid.isReadOnly ? [copying] : [editing, copying, renaming, ...discarding, deleting]}
      look={menuLook}
    >
      <IconDots size={15} aria-hidden="true" />
    </MenuButton>
  );
}

/** Discards the unpublished change of one shown text, or all changes of the key, of texts that are not shown too. */
function useDiscardLines(record: KeyRecord): MenuLine[] {
  const { columns, screen, nameOf } = useGrid();
  const discard = useDiscard();
  const { _id, key, values, meta, state, renamedFrom } = record;
  const isWaiting = state === "new" || state === "changed" || renamedFrom !== null;
  if (discard === null || !isWaiting) return [];
  const icon = <IconArrowBackUp size={15} aria-hidden="true" />;
  const changed = shownLanguages(columns).filter((language) => {
    const text = meta[language];
    return text?.state === "changed" || (text?.state === "new" && !!values[language]);
  });
  const lines: MenuLine[] = changed.map((language) => ({
    label: `Discard change in ${nameOf(language).name}`,
    icon,
    onClick: () =>
      discard({ changes: [`text:${_id}/${language}`], name: `${key} in ${nameOf(language).name}`, isOneText: true }),
  }));
  const all = {
    label: "Discard changes of this key",
    icon,
    onClick: () => discard({ changes: [`text:${_id}`], name: key, section: `screen/${screen}` }),
  };
  return [...lines, all];
}
