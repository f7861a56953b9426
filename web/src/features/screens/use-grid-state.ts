/** Which cell of the grid has the focus, what is being edited, and how the keyboard moves between cells. */
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import toast from "react-hot-toast";
import { isMac } from "@/lib/keyboard";
import type { LanguageName } from "@/lib/languages";
import type { Leave } from "./cell-editor";
import type { Columns } from "./filters";
import { shownLanguages } from "./filters";
import type { Grid } from "./grid-context";
import { nextPosition } from "./grid-moves";
import type { Outbox } from "./outbox";
import type { KeyRecord } from "./queries";
import { useUndo } from "./use-undo";

export interface GridState {
  /** `focus` counts up when the cell should take the focus; 0 when it has had it. */
  active: { keyId: string; column: number; focus: number } | null;
  /** `seen` is the text of the cell when the editor opened, `typed` the character that opened it in place of that text. An empty `typed` selects that text. */
  editing: { keyId: string; language: string; seen: string; typed: string | null } | null;
  renaming: string | null;
}

/** The code of a key that an input method takes, as for Japanese or Chinese. */
const COMPOSED = 229;
/** The id of the toast that reports a cleared text. */
const CLEARED = "text-cleared";
const NOWHERE: GridState = { active: null, editing: null, renaming: null };

export function useGridState({
  projectId,
  screen,
  columns,
  nameOf,
  isReadOnly,
  shownIds,
  recordOf,
  outbox,
  askToDelete,
}: {
  projectId: string;
  screen: string;
  columns: Columns;
  nameOf: (code: string) => LanguageName;
  isReadOnly: boolean;
  shownIds: readonly string[];
  recordOf: (id: string) => KeyRecord | undefined;
  outbox: Outbox;
  askToDelete: (record: KeyRecord) => void;
}) {
  const [state, setState] = useState<GridState>(NOWHERE);
  const focusCount = useRef(0);
  // Handlers are made once and read what is current: rows that did not change are not drawn again.
  const now = useRef({ shownIds, recordOf, state });
  now.current = { shownIds, recordOf, state };
  const languages = useMemo(() => shownLanguages(columns), [columns]);
  const { write, undo } = useUndo(
    outbox,
    useCallback((id: string) => now.current.recordOf(id), []),
  );
  const columnCount = languages.length + 2;

  const focusCell = useCallback((keyId: string, column: number, takesFocus = true) => {
    focusCount.current += 1;
    const active = { keyId, column, focus: takesFocus ? focusCount.current : 0 };
    setState({ active, editing: null, renaming: null });
  }, []);

  const open = useCallback(
    (record: KeyRecord, language: string, typed: string | null = null) => {
      if (isReadOnly || outbox.find(record._id, language)?.status === "conflict") return;
      const active = { keyId: record._id, column: languages.indexOf(language) + 1, focus: 0 };
      const editing = { keyId: record._id, language, seen: outbox.textOf(record, language), typed };
      setState({ active, editing, renaming: null });
    },
    [isReadOnly, languages, outbox],
  );

  const openNextMissing = useCallback(
    (record: KeyRecord, language: string, step: 1 | -1): boolean => {
      const ids = now.current.shownIds;
      const from = ids.indexOf(record._id);
      for (let distance = 1; distance < ids.length; distance += 1) {
        const id = ids[(from + step * distance + ids.length) % ids.length];
        const candidate = id === undefined ? undefined : now.current.recordOf(id);
        if (candidate === undefined || outbox.textOf(candidate, language) !== "") continue;
        open(candidate, language);
        return true;
      }
      return false;
    },
    [open, outbox],
  );

  const leave = useCallback(
    (record: KeyRecord, language: string, how: Leave) => {
      if (how === "escape") outbox.forgetTyping();
      if (how === "tab" && openNextMissing(record, language, 1)) return;
      if (how === "shift-tab" && openNextMissing(record, language, -1)) return;
      if (how !== "blur") return focusCell(record._id, languages.indexOf(language) + 1);
      setState((present) =>
        present.editing?.keyId === record._id && present.editing.language === language
          ? { ...present, editing: null }
          : present,
      );
    },
    [focusCell, languages, openNextMissing, outbox],
  );

  const noteFocus = useCallback((keyId: string, column: number) => {
    setState((present) =>
      present.active?.keyId === keyId && present.active.column === column && present.active.focus === 0
        ? present
        : { ...present, active: { keyId, column, focus: 0 } },
    );
  }, []);

  const startRename = useCallback(
    (keyId: string) => setState({ active: { keyId, column: 0, focus: 0 }, editing: null, renaming: keyId }),
    [],
  );
  const endRename = useCallback(
    (keyId: string, refocus: boolean) => {
      if (refocus) focusCell(keyId, 0);
      else setState((present) => (present.renaming === keyId ? { ...present, renaming: null } : present));
    },
    [focusCell],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    const isCell = target instanceof HTMLElement && target.dataset["column"] !== undefined;
    // With it, which counts as Ctrl and Alt together, many keyboards write characters such as @ and {.
    const isAltGr = event.getModifierState("AltGraph");
    if (!isCell || state.active === null || (event.altKey && !isAltGr)) return;
    const { keyId, column } = state.active;
    const isFar = event.ctrlKey || event.metaKey;
    const from = { row: shownIds.indexOf(keyId), column };
    const next = nextPosition(event.key, isFar, from, { row: shownIds.length, column: columnCount });
    const nextId = next === undefined ? undefined : shownIds[next.row];
    if (next !== undefined && nextId !== undefined) {
      event.preventDefault();
      return focusCell(nextId, next.column);
    }
    const record = recordOf(keyId);
    const language = languages[column - 1];
    if (isReadOnly) return;
    if (isFar && !event.shiftKey && event.key.toLowerCase() === "z") {
      event.preventDefault();
      const undone = undo();
      if (undone?.after === "") toast.dismiss(CLEARED);
      const place = undone === null ? -1 : languages.indexOf(undone.language);
      if (undone !== null && place >= 0 && shownIds.includes(undone.keyId)) focusCell(undone.keyId, place + 1);
      return;
    }
    if (event.key === "Delete" && record !== undefined && language !== undefined) {
      event.preventDefault();
      const text = outbox.textOf(record, language);
      if (text === "" || outbox.find(keyId, language)?.status === "conflict") return;
      write(record, language, text, "");
      toast(`Cleared. ${isMac ? "⌘Z" : "Ctrl+Z"} brings the text back.`, { id: CLEARED });
      return;
    }
    const isComposed = event.keyCode === COMPOSED || event.key === "Process" || event.key === "Dead";
    if (isComposed && !isFar && record !== undefined && language !== undefined) {
      // The input method goes on with this key in the field, so the field takes the focus before the browser handles the key.
      return flushSync(() => open(record, language, ""));
    }
    const isCharacter = [...event.key].length === 1 && event.key !== " " && (!isFar || isAltGr);
    if (isCharacter && record !== undefined && language !== undefined) {
      event.preventDefault();
      return open(record, language, event.key);
    }
    const opens = (event.key === "Enter" && !isFar) || event.key === "F2";
    if (!opens || record === undefined) return;
    event.preventDefault();
    if (column === 0) startRename(keyId);
    else if (language !== undefined) open(record, language);
  };

  const grid = useMemo<Grid>(
    () => ({
      projectId,
      screen,
      columns,
      nameOf,
      isReadOnly,
      open,
      write,
      leave,
      noteFocus,
      startRename,
      endRename,
      askToDelete,
    }),
    [
      projectId,
      screen,
      columns,
      nameOf,
      isReadOnly,
      open,
      write,
      leave,
      noteFocus,
      startRename,
      endRename,
      askToDelete,
    ],
  );
  return { state, grid, onKeyDown, focusCell, columnCount };
}
