import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType, useSearchParams } from "react-router";
import type { KeyRecord } from "./queries";

const SCROLL_AFTER_MS = 500;
const SHOWN_MS = 2_000;

/** The key that the address names, which takes the focus. */
export interface Found {
  id: string;
  /** The language in which it was found, where that is known. */
  language: string | undefined;
}

/**
 * Returns the key that the address names (`?scrollTo=`), 500 ms after the keys are here, for 2 s. A new visit shows it
 * again. The key is also `found`, until the person goes on to something different: then the focus stays on that.
 */
export function useHighlight(records: readonly KeyRecord[]): { highlighted: string | null; found: Found | null } {
  const [params] = useSearchParams();
  const name = params.get("scrollTo");
  const visit = useVisit();
  const language = foundInOf(useLocation().state);
  const wanted = records.find((record) => record.key === name)?._id ?? null;
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same key is shown again with another visit, which has its language.
  useEffect(() => {
    if (wanted === null) return;
    const doing = new AbortController();
    const goOn = () => {
      doing.abort();
      setFound(null);
    };
    for (const name of ["keydown", "pointerdown"])
      window.addEventListener(name, goOn, { capture: true, signal: doing.signal });
    let timer = setTimeout(() => {
      setHighlighted(wanted);
      if (!doing.signal.aborted) setFound({ id: wanted, language });
      timer = setTimeout(() => setHighlighted(null), SHOWN_MS);
    }, SCROLL_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setHighlighted(null);
      goOn();
    };
  }, [wanted, visit]);
  return { highlighted, found };
}

/** The language that the navigation names in its state, as the search does. It is not in the address: an address is for everybody. */
function foundInOf(state: unknown): string | undefined {
  const isNamed = typeof state === "object" && state !== null && "foundIn" in state;
  return isNamed && typeof state.foundIn === "string" ? state.foundIn : undefined;
}

/** Returns a different name for each visit to the page. A filter that is put into the address is no visit. */
function useVisit(): string {
  const { key } = useLocation();
  const isReplaced = useNavigationType() === "REPLACE";
  const visit = useRef(key);
  if (!isReplaced) visit.current = key;
  return visit.current;
}
