/**
 * Loads the window again once the server answers, after code did not arrive. A browser that failed to load a module
 * does not ask for it a second time.
 */
import { useEffect, useRef, useState } from "react";
import { SERVER } from "@/lib/base";

/** `lasting`: the server answers, and loading again did not help; only the person tries again. */
export type Trouble = "unknown" | "offline" | "away" | "lasting";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const PATIENCE_MS = 5_000;
/** By itself the window loads so often within this time, and no more. */
const MOST_RELOADS = 3;
const RELOADS_WITHIN_MS = 10 * 60_000;
const RELOADS = "pageReloads";

/** When this tab loaded itself again lately. */
function recentReloads(): number[] {
  try {
    const moments: unknown = JSON.parse(window.sessionStorage.getItem(RELOADS) ?? "[]");
    const since = Date.now() - RELOADS_WITHIN_MS;
    return Array.isArray(moments) ? moments.filter((moment) => typeof moment === "number" && moment > since) : [];
  } catch {
    return [];
  }
}

/** Whether the window may load itself once more; it counts as done. Without a storage to count in it never may. */
function takeReload(): boolean {
  const recent = recentReloads();
  if (recent.length >= MOST_RELOADS) return false;
  try {
    window.sessionStorage.setItem(RELOADS, JSON.stringify([...recent, Date.now()]));
    return true;
  } catch {
    return false;
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    const answer = await fetch(`${SERVER}/healthz`, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Whether a part of the page would warn before it is left, as with texts that are not saved yet. */
function wouldLoseSomething(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** What is the matter at present, and a try by hand. */
export function useComeback(reload: () => void): { trouble: Trouble; retry: () => void } {
  const [trouble, setTrouble] = useState<Trouble>(() => (navigator.onLine ? "unknown" : "offline"));
  const attempt = useRef<(isByHand: boolean) => Promise<void>>(async () => {});

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = FIRST_WAIT_MS;
    let isTrying = false;
    let isOver = false;

    const again = () => {
      timer = setTimeout(() => void attempt.current(false), waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    };
    attempt.current = async (isByHand) => {
      if (isTrying || isOver) return;
      clearTimeout(timer);
      isTrying = true;
      if (isByHand) setTrouble("unknown");
      const isThere = await isServerThere();
      isTrying = false;
      if (isOver) return;
      if (!isThere) {
        setTrouble(navigator.onLine ? "away" : "offline");
        again();
      } else if (!isByHand && wouldLoseSomething()) {
        again();
      } else if (isByHand || takeReload()) {
        reload();
      } else {
        setTrouble("lasting");
      }
    };
    const tryNow = () => void attempt.current(false);
    const tellOffline = () => setTrouble("offline");

    tryNow();
    window.addEventListener("online", tryNow);
    window.addEventListener("offline", tellOffline);
    return () => {
      isOver = true;
      clearTimeout(timer);
      window.removeEventListener("online", tryNow);
      window.removeEventListener("offline", tellOffline);
    };
  }, [reload]);
  return { trouble, retry: () => void attempt.current(true) };
}
