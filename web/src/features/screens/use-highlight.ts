import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { KeyRecord } from "./queries";

const SCROLL_AFTER_MS = 500;
const SHOWN_MS = 2_000;

/** The id of the key that the address names (`?scrollTo=`): 500 ms after the keys are here, for 2 s. */
export function useHighlight(records: readonly KeyRecord[]): string | null {
  const [params] = useSearchParams();
  const name = params.get("scrollTo");
  const wanted = records.find((record) => record.key === name)?._id ?? null;
  const [highlighted, setHighlighted] = useState<string | null>(null);
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
  }, [wanted]);
  return highlighted;
}
