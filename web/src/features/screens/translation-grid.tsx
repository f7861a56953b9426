/** The keys of a screen as a grid: one row per key, drawn only where it can be seen when there are many. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.

import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { LanguageName } from "@/lib/languages";
import { later } from "@/ui/later";
import { ALL_DRAWN, Box } from "@/ui/parts";
import { type Columns, shownLanguages } from "./filters";
import classes from "./grid.module.css";
import { GridContext } from "./grid-context";
import { GridHead } from "./grid-head";
import { GridRow } from "./grid-row";
import { useRenameCode } from "./key-cell";
import type { KeyRecord } from "./queries";
import { rowProps } from "./row-props";
import { SaveAnnouncer } from "./save-announcer";
import { useGridState } from "./use-grid-state";
import type { Found } from "./use-highlight";
import { useLostFocus } from "./use-lost-focus";
import { useOutbox } from "./use-outbox";

/** Its code comes while the keys are read: see `useGridCode`. */
const floatingRows = later(async () => (await import("./floating-rows")).FloatingRows, null);
const deleteKey = later(async () => (await import("./delete-key-dialog")).DeleteKeyDialog, null);

/** Fetches what a grid of many keys is drawn with, and what renames a key. */
export function useGridCode(): void {
  floatingRows.useFetched();
  useRenameCode();
}

export function TranslationGrid({
  projectId,
  screen,
  records,
  shownIds,
  columns,
  nameOf,
  isReadOnly,
  highlighted,
  found,
  picker,
  footer,
  emptyText,
  openKey,
}: {
  projectId: string;
  screen: string;
  records: readonly KeyRecord[];
  shownIds: readonly string[];
  columns: Columns;
  nameOf: (code: string) => LanguageName;
  isReadOnly: boolean;
  /** The id of the key to bring into view and mark. */
  highlighted: string | null;
  /** The key whose cell takes the focus. */
  found: Found | null;
  /** Chooses the second language; shown in its column's head. */
  picker: ReactNode;
  footer: ReactNode;
  /** Shown in place of rows when the filter leaves no rows. */
  emptyText: ReactNode;
  /** Given the id of the key whose text is open. */
  openKey: RefObject<string | null>;
}) {
  const outbox = useOutbox();
  const isFloating = useRef(false);
  const [deleting, setDeleting] = useState<KeyRecord | null>(null);
  const byId = useMemo(() => new Map(records.map((record) => [record._id, record])), [records]);
  const { state, grid, onKeyDown, focusCell, columnCount } = useGridState({
    projectId,
    screen,
    columns,
    nameOf,
    isReadOnly,
    shownIds,
    recordOf: (id) => byId.get(id),
    outbox,
    askToDelete: setDeleting,
  });

  useEffect(() => {
    if (found === null) return;
    const position = shownLanguages(columns).indexOf(found.language ?? columns.source);
    focusCell(found.id, Math.max(position, 0) + 1);
  }, [found, columns, focusCell]);
  const focusEvents = useLostFocus(shownIds, state, outbox, focusCell);

  openKey.current = state.editing?.keyId ?? null;
  // The grid keeps its kind of list while a text is open: a switch would close the text.
  if (state.editing === null) isFloating.current = records.length > ALL_DRAWN;
  const rows = shownIds.flatMap((id) => byId.get(id) ?? []);
  const lastId = rows.at(-1)?._id;
  const place = { state, highlighted, lastId, entryId: byId.has(state.active?.keyId ?? "") ? null : rows[0]?._id };
  return (
    <GridContext value={grid}>
      <Box
        place="relative"
        surface
        shadow
        bleed
        className={classes["frame"]}
        data-single={columns.target === undefined || undefined}
      >
        <div
          role="grid"
          aria-label={`Texts of ${screen}`}
          aria-rowcount={rows.length + 1}
          aria-colcount={columnCount}
          aria-readonly={isReadOnly}
          className={classes["grid"]}
          onKeyDown={onKeyDown}
          {...focusEvents}
        >
          <GridHead records={records} picker={picker} />
          {isFloating.current && rows.length > 0 ? (
            <floatingRows.Part rows={rows} {...place} />
          ) : (
            rows.map((record, index) => <GridRow key={record._id} {...rowProps(record, index, place)} />)
          )}
        </div>
        {rows.length === 0 && (
          <Box px={24} py={36} tone="ink-2" textAlign="center" balance>
            {emptyText}
          </Box>
        )}
        {footer}
      </Box>
      <SaveAnnouncer nameOf={nameOf} />
      <deleteKey.Part
        record={deleting}
        opened={deleting !== null}
        place={{ projectId, screen }}
        onClose={(isDeleted) => {
          const index = deleting === null ? -1 : shownIds.indexOf(deleting._id);
          const next = isDeleted ? (shownIds[index + 1] ?? shownIds[index - 1]) : deleting?._id;
          setDeleting(null);
          if (next !== undefined) focusCell(next, 0);
        }}
      />
    </GridContext>
  );
}
