import { useEffect, useRef } from "react";
import type { GridState } from "./use-grid-state";

/** When the row that has the focus goes (a colleague deletes its key), the row that takes its place has it. */
export function useLostFocus(
  shownIds: readonly string[],
  active: GridState["active"],
  focusCell: (keyId: string, column: number) => void,
) {
  const before = useRef(shownIds);
  // What goes from the page with the focus in it is never left.
  const isInside = useRef(false);
  useEffect(() => {
    const former = before.current;
    before.current = shownIds;
    if (active === null || !isInside.current || document.activeElement !== document.body) return;
    const index = former.indexOf(active.keyId);
    const shown = new Set(shownIds);
    if (index < 0 || shown.has(active.keyId)) return;
    const next = [...former.slice(index + 1), ...former.slice(0, index).reverse()].find((id) => shown.has(id));
    if (next !== undefined) focusCell(next, active.column);
  }, [shownIds, active, focusCell]);
  return {
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: () => {
      isInside.current = false;
    },
  };
}
