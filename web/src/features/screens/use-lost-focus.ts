import { useEffect, useRef } from "react";
import { isFocusLost } from "@/ui/focus";
import type { Outbox } from "./outbox";
import type { GridState } from "./use-grid-state";

/**
 * Moves the focus to the next row when a colleague deletes the key of the focused row. If a text was open there, the focus goes
 * to the next row's key, so that further typing replaces no text. A notice shows the typed text and takes the focus.
 */
export function useLostFocus(
  shownIds: readonly string[],
  { active, editing }: GridState,
  outbox: Outbox,
  focusCell: (keyId: string, column: number, takesFocus?: boolean) => void,
) {
  const before = useRef(shownIds);
  // What goes from the page with the focus in it is never left.
  const isInside = useRef(false);
  useEffect(() => {
    const former = before.current;
    before.current = shownIds;
    if (active === null || !isInside.current || !isFocusLost()) return;
    const index = former.indexOf(active.keyId);
    const shown = new Set(shownIds);
    if (index < 0 || shown.has(active.keyId)) return;
    const next = [...former.slice(index + 1), ...former.slice(0, index).reverse()].find((id) => shown.has(id));
    if (next === undefined) return;
    if (editing === null) return focusCell(next, active.column);
    const status = outbox.find(editing.keyId, editing.language)?.status;
    focusCell(next, 0, status === undefined || status === "saved");
  }, [shownIds, active, editing, outbox, focusCell]);
  return {
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: () => {
      isInside.current = false;
    },
  };
}
