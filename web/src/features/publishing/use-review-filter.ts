/** Which changes of a review are shown. */
import { useMemo, useState } from "react";
import type { Diff } from "@/lib/diff";
import { OUTLINE } from "./review-entries";
import { warnedIn } from "./review-parts";
import type { Selection } from "./use-selection";

export type Filter = "all" | "mine" | "check" | "left";

/** The references of the changes that a person edited: of a change with several editors the texts. */
export function refsBy({ review }: Selection, id: string | null): string[] {
  // Nobody notes who adds and removes screens and languages.
  const noted = [...review.changes].filter(([place]) => place !== OUTLINE || id !== null);
  return noted
    .flatMap(([, group]) => group)
    .flatMap((change) => {
      if (change.isRemoval || change.slots.length === 0) return change.by === id ? [change.ref] : [];
      return change.slots.filter(({ by }) => by === id).map(({ ref }) => ref);
    });
}

function shownBy(filter: Filter, diff: Diff, selection: Selection, me: string): ReadonlySet<string> | null {
  if (filter === "all") return null;
  if (filter === "check") return warnedIn(diff);
  const changes = [...selection.review.changes.values()].flat();
  if (filter === "left") return new Set(changes.map(({ ref }) => ref).filter((ref) => selection.stateOf(ref) !== "on"));
  const mine = new Set(refsBy(selection, me));
  const isMine = (refs: readonly { ref: string }[]) => refs.some(({ ref }) => mine.has(ref));
  return new Set(changes.filter((change) => isMine([change, ...change.slots])).map(({ ref }) => ref));
}

/**
 * The filter of a review. What it shows is found when it is chosen and when the diff changes: a change that is ticked does not
 * vanish under the hand.
 */
export function useReviewFilter(diff: Diff, selection: Selection, me: string) {
  const find = (filter: Filter) => ({ filter, diff, shown: shownBy(filter, diff, selection, me) });
  const [found, setFound] = useState(() => find("all"));
  let present = found;
  if (found.diff !== diff) {
    present = find(found.filter);
    setFound(present);
  }
  const counts = useMemo(() => {
    const count = (shown: ReadonlySet<string> | null) =>
      selection.review.entries.reduce(
        (sum, { change, weight }) => sum + (change !== null && shown?.has(change.ref) ? weight : 0),
        0,
      );
    return {
      all: diff.total,
      mine: count(shownBy("mine", diff, selection, me)),
      check: count(shownBy("check", diff, selection, me)),
      left: selection.whole.kept,
    };
  }, [diff, selection, me]);
  return { filter: present.filter, shown: present.shown, counts, choose: (filter: Filter) => setFound(find(filter)) };
}
