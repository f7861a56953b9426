/** What differs between two states of a project's content, and what was found to be worth a second look in it. */
import type { Answer } from "./api-types";

export type Diff = Answer<"/api/projects/{projectId}/diff", "get">;
export type ScreenDiff = Diff["screens"][number];
export type ColorChange = Diff["colors"][number];
export type StoreDiff = Diff["stores"][number];
export type LanguageDiff = Diff["languages"][number];

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

/** Each line of the list over a review is one warning, however many values it is about. */
export const warningsIn = (places: readonly PlaceWarnings[]): number =>
  places.reduce((sum, { counts }) => sum + counts.length, 0);

/** What stands over a screen in a review. */
export const titleOf = (screen: string) => (screen === "general" ? "Content - General" : screen);
