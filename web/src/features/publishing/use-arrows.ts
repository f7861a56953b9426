/** Arrow keys between the tick boxes of a list, of which Tab reaches one. */
import { type KeyboardEvent, type RefObject, useEffect } from "react";
import { focusInPlace } from "@/ui/focus";
import { stepIn } from "@/ui/list-keys";

const BOXES = "input[data-tick]:not(:disabled)";

const boxesIn = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>(BOXES) ?? [])];

/** Puts Tab's only stop on a box. */
function stopAt(boxes: readonly HTMLElement[], stop: Element | undefined): void {
  for (const box of boxes) {
    const tabIndex = box === stop ? 0 : -1;
    if (box.tabIndex !== tabIndex) box.tabIndex = tabIndex;
  }
}

export function useArrows(list: RefObject<HTMLElement | null>) {
  // After each drawing: boxes come and go, and React sets no tabIndex on them.
  useEffect(() => {
    const boxes = boxesIn(list.current);
    stopAt(
      boxes,
      boxes.find(({ tabIndex }, _, all) => tabIndex === 0 && all.some((box) => box.tabIndex < 0)) ?? boxes[0],
    );
  });
  const onFocus = () => {
    const boxes = boxesIn(list.current);
    const active = boxes.find((box) => box === document.activeElement);
    if (active !== undefined) stopAt(boxes, active);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches(BOXES)) return;
    const next = stepIn(boxesIn(list.current), event.target, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  return { onFocus, onKeyDown };
}

/** Puts the focus on the box at this place of the list, or on the last one before it; false without boxes. */
export function focusBox(list: HTMLElement | null, at: number): boolean {
  const boxes = boxesIn(list);
  const box = boxes[Math.min(at, boxes.length - 1)];
  focusInPlace(box);
  return box !== undefined;
}

/** The place of the row that has the focus among the boxes of the list. */
export function placeOfFocus(list: HTMLElement | null): number {
  const row = document.activeElement?.closest("[data-row]");
  return Math.max(
    0,
    boxesIn(list).findIndex((box) => row?.contains(box)),
  );
}
