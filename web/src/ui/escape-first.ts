/** Escape goes to the question that was asked last, and to nothing below it: two dialogs would both hear the one key press. */
import { useEffect, useEffectEvent } from "react";

const askers: ((event: KeyboardEvent) => void)[] = [];

function toTheLast(event: KeyboardEvent): void {
  const last = askers.at(-1);
  if (event.key !== "Escape" || event.isComposing || last === undefined) return;
  // An open list inside the question takes its Escape itself, and dialogs know that by the same mark.
  if (event.target instanceof Element && event.target.getAttribute("data-mantine-stop-propagation") === "true") return;
  event.stopImmediatePropagation();
  last(event);
}

// Before any dialog is drawn: listeners of one place are called in the order in which they came.
window.addEventListener("keydown", toTheLast, { capture: true });

export function useEscapeFirst(opened: boolean, onEscape: () => void): void {
  const answer = useEffectEvent((event: KeyboardEvent) => {
    // The key that is still held down from closing the dialog below answers nothing.
    if (!event.repeat) onEscape();
  });
  useEffect(() => {
    if (!opened) return;
    const asker = (event: KeyboardEvent) => answer(event);
    askers.push(asker);
    return () => void askers.splice(askers.indexOf(asker), 1);
  }, [opened]);
}
