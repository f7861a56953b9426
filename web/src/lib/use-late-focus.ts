import { type RefObject, useEffect, useRef } from "react";

/**
 * The ref of what takes the focus in a dialog that may have opened before it was there. Later than the dialog notes where
 * the focus was: it goes back there.
 */
export function useLateFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => {
    const timer = setTimeout(() => element.current?.focus({ preventScroll: true }));
    return () => clearTimeout(timer);
  }, []);
  return element;
}
