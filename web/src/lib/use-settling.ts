import { useEffect, useState } from "react";

/** A press meant for what was shown before must not reach what has just taken its place. */
const SETTLE_MS = 1_000;

/** Whether the contents changed less than a second ago, and the function that reports a change; `begins`: the first contents count. */
export function useSettling(begins = false): { isSettling: boolean; settle: () => void } {
  const [since, setSince] = useState<object | null>(begins ? {} : null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [since]);
  return { isSettling: since !== null, settle: () => setSince({}) };
}
