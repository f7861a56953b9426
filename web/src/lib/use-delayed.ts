import { useEffect, useState } from "react";

/** True once `active` has held for `delayMs`: for loading states that should not flash on a fast answer. */
export function useDelayed(active: boolean, delayMs = 300): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (!active) {
      setDue(false);
      return;
    }
    const timer = setTimeout(() => setDue(true), delayMs);
    return () => clearTimeout(timer);
  }, [active, delayMs]);
  return active && due;
}
