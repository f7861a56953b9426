import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType, useSearchParams } from "react-router";
import type { KeyRecord } from "./queries";

const SCROLL_AFTER_MS = 500;
const SHOWN_MS = 2_000;

/** The id of the key that the address names (`?scrollTo=`): 500 ms after the keys are here, for 2 s; again when one is led there again. */
export function useHighlight(records: readonly KeyRecord[]): string | null {
  const [params] = useSearchParams();
  const name = params.get("scrollTo");
  const visit = useVisit();
  const wanted = records.find((record) => record.key === name)?._id ?? null;
  const [highlighted, setHighlighted] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same key is shown again with another visit.
  useEffect(() => {
    if (wanted === null) return;
    let timer = setTimeout(() => {
      setHighlighted(wanted);
      timer = setTimeout(() => setHighlighted(null), SHOWN_MS);
    }, SCROLL_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setHighlighted(null);
    };
  }, [wanted, visit]);
  return highlighted;
}

/** Another one each time the page is gone to; a filter that is put into the address is no visit. */
function useVisit(): string {
  const { key } = useLocation();
  const isReplaced = useNavigationType() === "REPLACE";
  const visit = useRef(key);
  if (!isReplaced) visit.current = key;
  return visit.current;
}
