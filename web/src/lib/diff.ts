/** What differs between two states of a project's content, and what was found to be worth a second look in it. */
import type { Answer } from "./api-types";

export type Diff = Answer<"/api/projects/{projectId}/diff", "get">;
export type ScreenDiff = Diff["screens"][number];
export type KeyChange = ScreenDiff["keys"][number];
export type ColorChange = Diff["colors"][number];
export type StoreDiff = Diff["stores"][number];
export type ItemChange = StoreDiff["items"][number];
export type LanguageDiff = Diff["languages"][number];

/** By what a change, or one text of it, is left out or discarded. */
export type Selectable = Pick<KeyChange, "ref" | "byId" | "needs" | "tie">;

/** The parts of a comparison that every one of them has. */
export interface Changes {
  screens: readonly ScreenDiff[];
  colors: readonly ColorChange[];
  /** Where they may be more than those. */
  colorsTotal?: number;
  stores: readonly StoreDiff[];
  languages?: readonly LanguageDiff[] | undefined;
}

/** Whether the store itself is one of its changes, beside its items. */
export const isOwnChange = ({ change, oldName, newName, fields, fieldsMoved }: StoreDiff): boolean =>
  change !== "changed" || oldName !== newName || fields.length > 0 || fieldsMoved;

/** How many changed items the server kept back. With a store all of its items go, unlisted. */
export const keptBack = (store: StoreDiff): number =>
  store.change === "removed" ? 0 : store.total - store.items.length - (isOwnChange(store) ? 1 : 0);

/** The warnings of one screen or store. */
export type PlaceWarnings = Diff["warnings"][number];
export type EntryWarnings = PlaceWarnings["entries"][number];
export type ValueWarning = EntryWarnings["values"][number];
export type WarningCount = PlaceWarnings["counts"][number];

/** A line of the list over a review. */
export interface WarningLine {
  place: PlaceWarnings;
  kind: WarningCount["kind"];
  field: string | null;
  /** The languages in which texts are missing. */
  languages: readonly string[];
  count: number;
}

/** Whether a warning needs a check before the publish: an app may break. */
export const isGrave = ({ kind }: Pick<WarningCount, "kind">): boolean =>
  kind === "required" || kind === "malformed" || kind === "placeholder";

/** All that needs a check first, then one line for each other kind of each screen or store, in the order of the review. */
export function warningLinesOf(places: readonly PlaceWarnings[]): WarningLine[] {
  const lines = places.flatMap((place) => {
    const missing = place.counts.filter(({ kind }) => kind === "missing");
    return place.counts
      .filter((count) => count.kind !== "missing" || count === missing[0])
      .map(({ kind, field, count }) => ({
        place,
        kind,
        field,
        languages: kind === "missing" ? missing.flatMap(({ language }) => language ?? []) : [],
        count: kind === "missing" ? missing.reduce((sum, one) => sum + one.count, 0) : count,
      }));
  });
  return [...lines.filter(isGrave), ...lines.filter((line) => !isGrave(line))];
}

/** The heading of a screen in a review. */
export const titleOf = (screen: string) => (screen === "general" ? "Content - General" : screen);
