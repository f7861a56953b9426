/** Asks before what was written is left: by closing, by going to another page, by closing the tab. */
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";

export function useLeaveGuard(isDirty: boolean) {
  const [closing, setClosing] = useState<(() => void) | null>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
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

/** Tells the dialog around a form whether something was changed in it; a form that is gone holds nothing. */
export function useDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}
