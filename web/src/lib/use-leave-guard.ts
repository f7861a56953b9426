/** Asks before what was written is left: by closing, by going to another page, by closing the tab. */
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { sessionToken } from "./session";

/** Text that is not saved. The device keeps it (use-kept-text.ts) until it is saved or forgotten. */
export type Unsaved = false | { readonly forget: () => void };

/** Leaving the page discards `beside` too; `ask` alone does not. */
export function useLeaveGuard(unsaved: Unsaved, beside: Unsaved = false) {
  const [closing, setClosing] = useState<(() => void) | null>(null);
  const isDirty = unsaved !== false;
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    // Without a session nothing can be saved here, and what is kept is not lost.
    return isDirty && sessionToken() !== null && currentLocation.pathname !== nextLocation.pathname;
  });
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);
  return {
    isAsking: closing !== null || blocker.state === "blocked",
    /** Closes at once when nothing would be lost. */
    ask: (close: () => void) => {
      if (isDirty) setClosing(() => close);
      else close();
    },
    leave: () => {
      if (unsaved) unsaved.forget();
      if (beside && blocker.state === "blocked") beside.forget();
      closing?.();
      setClosing(null);
      if (blocker.state === "blocked") blocker.proceed();
    },
    stay: () => {
      setClosing(null);
      if (blocker.state === "blocked") blocker.reset();
    },
  };
}

/** Reports to the dialog around a form whether the form has changes; a form that is gone has no changes. */
export function useDirty(isDirty: boolean, forget: () => void, onDirty: (unsaved: Unsaved) => void): void {
  useEffect(() => {
    onDirty(isDirty ? { forget } : false);
    return () => onDirty(false);
  }, [isDirty, forget, onDirty]);
}
