/** What each row of the grid gets of the grid's state. */
import type { RowProps } from "./grid-row";
import type { KeyRecord } from "./queries";
import type { GridState } from "./use-grid-state";

export interface Place {
  state: GridState;
  highlighted: string | null;
  lastId: string | undefined;
  entryId: string | undefined | null;
}

/** Returns only the state that concerns the row, so that other rows are not drawn again. */
export function rowProps(record: KeyRecord, index: number, { state, highlighted, lastId, entryId }: Place): RowProps {
  const { active, editing, renaming } = state;
  const isActive = active?.keyId === record._id;
  const isEditing = editing?.keyId === record._id;
  return {
    record,
    index,
    activeColumn: isActive ? active.column : null,
    focus: isActive ? active.focus : 0,
    isEntry: entryId === record._id,
    editingLanguage: isEditing ? editing.language : null,
    seen: isEditing ? editing.seen : "",
    typed: isEditing ? editing.typed : null,
    isRenaming: renaming === record._id,
    isHighlighted: highlighted === record._id,
    isLast: lastId === record._id,
  };
}
