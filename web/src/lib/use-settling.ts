import { useEffect, useState } from "react";

/** What was pressed for what stood there before must not go to what has just taken its place. */
const SETTLE_MS = 1_000;

/** Whether something else was shown less than a second ago, and the way to say that it is; `begins`: the first thing counts. */
export function useSettling(begins = false): { isSettling: boolean; settle: () => void } {
  const [since, setSince] = useState<object | null>(begins ? {} : null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [since]);
  return { isSettling: since !== null, settle: () => setSince({}) };
}
