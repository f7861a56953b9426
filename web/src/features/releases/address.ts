/** The release that the address names, and what it is compared with: `?release=12&against=9`. */
import { useSearchParams } from "react-router";
import type { Against } from "./queries";

export interface Shown {
  release: number | null;
  against: Against;
}

/** The highest number that the server takes. */
const HIGHEST = 2 ** 31 - 2;

function numberIn(text: string | null): number | null {
  const number = text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  return number !== null && number <= HIGHEST ? number : null;
}

/** The query of an address. */
export function searchOf(release: number | null, against: Against = "previous"): string {
  if (release === null) return "";
  return `?release=${release}${against === "previous" ? "" : `&against=${against}`}`;
}

export function useShown(): Shown {
  const [params] = useSearchParams();
  const release = numberIn(params.get("release"));
  const against = params.get("against");
  return { release, against: against === "draft" ? "draft" : (numberIn(against) ?? "previous") };
}
