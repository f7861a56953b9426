import { useEffect, useState } from "react";

/** The present moment in milliseconds, renewed every minute, so that 'a minute ago' does not stand still. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
