import { useEffect } from "react";

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Whether keys write into what has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether it is this key alone, outside of fields. Shift is free: on some keyboards `/` needs it. */
export const isAlone = (event: KeyboardEvent, key: string): boolean =>
  event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);

/**
 * Calls `act` for keydown events that `isAsked` accepts. Ignores events that a component has handled, and all events while a dialog
 * is open.
 */
export function useShortcut(isAsked: (event: KeyboardEvent) => boolean, act: () => void, isOff = false): void {
  useEffect(() => {
    if (isOff) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isAsked(event) || document.querySelector('[aria-modal="true"]')) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [isAsked, act, isOff]);
}
