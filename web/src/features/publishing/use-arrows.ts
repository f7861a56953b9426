/** Arrow keys between the tick boxes of a list. Tab reaches the current box. A click with Shift ticks a range of boxes. */
import { type ChangeEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
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

/** `onTick` gets the changes of a range of boxes. */
export function useArrows(
  list: RefObject<HTMLElement | null>,
  onTick?: (refs: readonly string[], isOn: boolean) => void,
) {
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
  const last = useRef<HTMLElement>(null);
  /** Runs after the `onChange` of the box, which ticks that box alone. */
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(BOXES)) return;
    const boxes = boxesIn(list.current);
    const ends = [last.current ?? target, target].map((box) => boxes.indexOf(box));
    const refs = boxes.slice(Math.min(...ends), Math.max(...ends) + 1).flatMap((box) => box.dataset["tick"] || []);
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey && !ends.includes(-1);
    if (isRange && target.dataset["tick"]) onTick?.(refs, target.checked);
    last.current = target;
  };
  return { onFocus, onKeyDown, onChange };
}

/** Puts the focus on the box at this place of the list, or on the last box before it; false without boxes. */
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
