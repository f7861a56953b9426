/** One key in the grid. Draws again only when its record, its edits or its place in the grid's state change. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
// biome-ignore-all lint/a11y/useFocusableInteractive: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { memo, useEffect, useRef } from "react";
import { useIsTouched } from "@/lib/live-marks";
import { look } from "@/ui/look";
import { isOutdated, pendingText, shownLanguages } from "./filters";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import { KeyCell } from "./key-cell";
import type { KeyRecord } from "./queries";
import { StateCell } from "./state-cell";
import { useEdit } from "./use-outbox";
import { ValueCell } from "./value-cell";
import { warningOf } from "./warnings";

export interface RowProps {
  record: KeyRecord;
  index: number;
  /** The current cell's column, or null when it is in another row. */
  activeColumn: number | null;
  /** Counts up when that cell should take the focus. */
  focus: number;
  /** Whether Tab into the grid lands on this row's first cell: no cell is current yet. */
  isEntry: boolean;
  editingLanguage: string | null;
  /** The text of the cell when its editor opened. */
  seen: string;
  /** The character that opened the editor in place of that text. */
  typed: string | null;
  isRenaming: boolean;
  isHighlighted: boolean;
  isLast: boolean;
  /** For a row of a long list: its place, and how its height becomes known. */
  offset?: number;
  measure?: (element: HTMLElement | null) => void;
}

export const GridRow = memo(function GridRow({
  record,
  index,
  activeColumn,
  focus,
  isEntry,
  editingLanguage,
  seen,
  typed,
  isRenaming,
  isHighlighted,
  isLast,
  offset,
  measure,
}: RowProps) {
  const { projectId, screen, columns, nameOf, noteFocus } = useGrid();
  const isTouched = useIsTouched(projectId, screen, record.key);
  const row = useRef<HTMLDivElement>(null);
  const sourceEdit = useEdit(record._id, columns.source);
  const targetEdit = useEdit(record._id, columns.target ?? columns.source);

  // A floating row's place is an estimate until it is drawn: its list brings it into view.
  const isFloating = offset !== undefined;
  useEffect(() => {
    if (focus === 0 || activeColumn === null) return;
    row.current?.querySelector<HTMLElement>(`[data-column="${activeColumn}"]`)?.focus({ preventScroll: isFloating });
    // The focus is given once: the row may be drawn again, as while a filter is typed, and must not take the focus from
    // there.
    noteFocus(record._id, activeColumn);
  }, [focus, activeColumn, isFloating, noteFocus, record._id]);
  useEffect(() => {
    if (isHighlighted && !isFloating) row.current?.scrollIntoView({ block: "center" });
  }, [isHighlighted, isFloating]);

  const sourceText = pendingText(sourceEdit, record, columns.source);
  const warningIn = (language: string) => (text: string) =>
    warningOf(record, language, text, sourceText, columns, nameOf);
  const edits = columns.target === undefined ? [sourceEdit] : [sourceEdit, targetEdit];
  const languages = shownLanguages(columns);
  const needsCheck = languages.some(
    (language, position) => warningIn(language)(pendingText(edits[position], record, language)) !== null,
  );
  const cell = (column: number) => ({
    column,
    isActive: activeColumn === column,
    isTabStop: activeColumn === column || (isEntry && column === 0),
  });
  return (
    <div
      className={look(
        { layout: "grid", place: "relative", minH: 46, lineAbove: true, smallPt: 6, smallPb: 10, reveals: true },
        classes["row"],
      )}
      ref={(element) => {
        row.current = element;
        measure?.(element);
      }}
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-editing={editingLanguage !== null || undefined}
      data-active={activeColumn !== null || undefined}
      data-last={isLast || undefined}
      data-highlighted={isHighlighted || undefined}
      data-touched={isTouched || undefined}
      style={offset === undefined ? undefined : { transform: `translateY(${offset}px)` }}
    >
      <KeyCell record={record} isRenaming={isRenaming} {...cell(0)} />
      {languages.map((language, position) => (
        <ValueCell
          key={language}
          record={record}
          language={language}
          edit={edits[position]}
          warningFor={warningIn(language)}
          isOutdated={position === 1 && targetEdit === undefined && isOutdated(record, columns)}
          isEditing={editingLanguage === language}
          seen={seen}
          typed={typed}
          {...cell(position + 1)}
        />
      ))}
      <StateCell
        record={record}
        edits={edits}
        needsCheck={needsCheck}
        {...cell(columns.target === undefined ? 2 : 3)}
      />
    </div>
  );
});
