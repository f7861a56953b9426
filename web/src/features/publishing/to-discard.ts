/** What a discard takes from the draft: what was asked for, and what can't stay without it. */
import type { Diff } from "@/lib/diff";
import { reviewOf } from "./review-entries";
import { partOf } from "./review-parts";
import { close, select } from "./selection";

export interface Discardable {
  /** The changes that go, with their texts. */
  diff: Diff;
  count: number;
  /** How many of them were not asked for. */
  along: number;
  /** One change of one value, or one removal, and not of a screen, a language or a Data Store: no question is needed. */
  isSmall: boolean;
  /** More of them are not listed than are counted. */
  isOpen: boolean;
}

export function discardable(diff: Diff, refs: readonly string[]): Discardable {
  const { changes, entries, sections } = reviewOf(diff);
  const asked = select(changes, refs);
  const gone = close(changes, asked);
  const isAll = refs.includes("all");
  const owners = new Map([...changes.values()].flat().flatMap((one) => one.slots.map(({ ref }) => [ref, one.ref])));
  const goneChanges = new Set([...gone].map((ref) => owners.get(ref) ?? ref));
  const askedChanges = new Set([...asked].map((ref) => owners.get(ref) ?? ref));
  const hasUnlisted = (place: string, own: string | null | undefined) =>
    isAll || refs.includes(`in:${place}`) || (!!own && gone.has(own));
  const unlisted = sections.reduce(
    (sum, { place, own, hidden }) => sum + (place !== null && hasUnlisted(place, own) ? hidden : 0),
    0,
  );
  const listed = entries.filter(({ change }) => change !== null && goneChanges.has(change.ref));
  const sum = (some: typeof listed) => some.reduce((all, { weight }) => all + weight, 0);
  const count = isAll ? diff.total : sum(listed) + unlisted;
  const [only] = listed;
  const size = only?.change?.slots.filter(({ ref }) => gone.has(ref)).length || only?.size || 0;
  const isEntry = only?.isEntry === true;
  return {
    diff: partOf(diff, {
      has: (ref) => (isAll && !ref) || (!!ref && goneChanges.has(ref)),
      hasText: (key, text) => !key || gone.has(key) || (!!text && gone.has(text)),
      hasUnlisted,
    }),
    count,
    along: sum(listed.filter(({ change }) => change !== null && !askedChanges.has(change.ref))),
    isSmall: isEntry && listed.length === 1 && unlisted === 0 && (only?.change?.isRemoval === true || size <= 1),
    isOpen: refs.some((ref) => ref.startsWith("by:")) && sections.some(({ hidden }) => hidden > 0),
  };
}
