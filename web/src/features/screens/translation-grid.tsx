/** The keys of a screen as a grid: one row per key, drawn only where it can be seen when there are many. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.

import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { LanguageName } from "@/lib/languages";
import { later } from "@/ui/later";
import { type Columns, shownLanguages } from "./filters";
import classes from "./grid.module.css";
import { GridContext } from "./grid-context";
import { GridHead } from "./grid-head";
import { GridRow, type RowProps } from "./grid-row";
import type { KeyRecord } from "./queries";
import { SaveAnnouncer } from "./save-announcer";
import { useOutbox } from "./unsaved-edits";
import { type GridState, useGridState } from "./use-grid-state";
import type { Found } from "./use-highlight";
import { useLostFocus } from "./use-lost-focus";

const DeleteKey = later(async () => (await import("./delete-key-dialog")).DeleteKeyDialog, null);

/** Above this many rows only those near the window are in the page. */
const ALL_DRAWN = 60;

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
  /** Shown in place of rows when the filter leaves none. */
  emptyText: ReactNode;
}) {
  const outbox = useOutbox();
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
  const focusEvents = useLostFocus(shownIds, state.active, focusCell);

  const rows = shownIds.flatMap((id) => byId.get(id) ?? []);
  const lastId = rows.at(-1)?._id;
  const place = { state, highlighted, lastId, entryId: byId.has(state.active?.keyId ?? "") ? null : rows[0]?._id };
  return (
    <GridContext value={grid}>
      <div className={classes["frame"]} data-single={columns.target === undefined || undefined}>
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
          {rows.length > ALL_DRAWN ? (
            <FloatingRows rows={rows} {...place} />
          ) : (
            rows.map((record, index) => <GridRow key={record._id} {...rowProps(record, index, place)} />)
          )}
        </div>
        {rows.length === 0 && <div className={classes["empty"]}>{emptyText}</div>}
        {footer}
      </div>
      <SaveAnnouncer nameOf={nameOf} />
      <DeleteKey.Part
        record={deleting}
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

interface Place {
  state: GridState;
  highlighted: string | null;
  lastId: string | undefined;
  entryId: string | undefined | null;
}

/** Of the grid's state only what concerns the row, so that the others are not drawn again. */
function rowProps(record: KeyRecord, index: number, { state, highlighted, lastId, entryId }: Place): RowProps {
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
    isRenaming: renaming === record._id,
    isHighlighted: highlighted === record._id,
    isLast: lastId === record._id,
  };
}

function FloatingRows({ rows, ...place }: { rows: readonly KeyRecord[] } & Place) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const isLarge = useMediaQuery("(min-width: 901px)", true, { getInitialValueInEffect: false });
  // What is above the list may grow or go (notices): its distance from the page's top is read after each drawing.
  useLayoutEffect(() => {
    const now = list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + window.scrollY);
    if (now !== top) setTop(now);
  });
  // The current row stays in the page wherever one scrolls: the focus and a text half typed are in it.
  const indexOf = (id: string | null | undefined) => rows.findIndex((record) => record._id === id);
  const pinned = [place.state.active?.keyId, place.highlighted].map(indexOf).filter((index) => index >= 0);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isLarge ? 46 : 150),
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 110,
    scrollPaddingEnd: 100,
    getItemKey: (index) => rows[index]?._id ?? index,
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const from = Math.max(startIndex - overscan, 0);
      const to = Math.min(endIndex + overscan, rows.length - 1);
      const near = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
      return [...new Set([...near, ...pinned])].sort((a, b) => a - b);
    },
  });
  const { active, editing } = place.state;
  // Moves of the keyboard, and the next missing text that Tab opens, may lead to a row that is not drawn yet.
  const isMoved = (active?.focus || editing) && active?.keyId !== place.highlighted;
  const reached = isMoved ? indexOf(active?.keyId) : -1;
  useEffect(() => {
    if (reached >= 0) virtualizer.scrollToIndex(reached, { align: "auto" });
  }, [virtualizer, reached]);
  const marked = indexOf(place.highlighted);
  useEffect(() => {
    if (marked >= 0) virtualizer.scrollToIndex(marked, { align: "center" });
  }, [virtualizer, marked]);
  return (
    <div ref={list} role="rowgroup" className={classes["floating"]} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const record = rows[item.index];
        return record === undefined ? null : (
          <GridRow
            key={record._id}
            {...rowProps(record, item.index, place)}
            offset={item.start - top}
            measure={virtualizer.measureElement}
          />
        );
      })}
    </div>
  );
}
