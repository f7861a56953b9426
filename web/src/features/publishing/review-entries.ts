/** The changes of a review as what can be ticked: an entry for each, in the sections in which they are listed. */
import { type Diff, isOwnChange, keptBack, type Selectable, type StoreDiff, titleOf } from "@/lib/diff";
import type { Change, Changes } from "./selection";

/** The section of what apps lose. */
export const REMOVALS = "removals";
const LANGUAGES = "languages";
const COLORS = "colors";
/** The place of screens and languages. */
export const OUTLINE = "project";

export interface Entry {
  /** The id of the section that lists the entry. */
  section: string;
  /** How many changes of the total it is: a new screen counts by its keys. */
  weight: number;
  /** Whether it has a line of its own: a key of a removed screen has no line. */
  hasLine: boolean;
  /** Whether it is in a screen, the colours or a Data Store, and not a screen, a language or a Data Store itself. */
  isEntry: boolean;
  /** How many texts or values it changes. */
  size: number;
  /** Null where it can't be ticked. */
  change: Change | null;
}

export interface Section {
  id: string;
  title: string;
  /** The place of the section's changes; null if they are of several places. */
  place: string | null;
  /** The change of a new screen itself, which goes with the last of its keys. */
  own: string | null;
  /** How many changes are not listed. */
  hidden: number;
}

export interface Review {
  changes: Changes;
  entries: readonly Entry[];
  /** In the order of the review. */
  sections: readonly Section[];
  /** The references of the texts in each language, with those of the language itself. */
  languages: ReadonlyMap<string, readonly string[]>;
  /** How many changes are not listed, in all sections. */
  hidden: number;
}

/** Whether a change of a store itself takes something from apps. */
export const isStoreLoss = ({ change, fields }: StoreDiff): boolean =>
  change === "removed" || (change === "changed" && fields.some((field) => field.change === "removed"));

export const placeOfScreen = ({ place, screen }: Diff["screens"][number]): string => place ?? `screen/${screen}`;
export const placeOfStore = ({ place, store }: StoreDiff): string => place ?? `store/${store}`;

export function reviewOf(diff: Diff): Review {
  const builder = new Builder();
  if (diff.languages.some(({ change }) => change === "added")) builder.section(LANGUAGES, "Languages", null);
  for (const language of diff.languages) {
    const isRemoval = language.change === "removed";
    builder.add(OUTLINE, isRemoval ? REMOVALS : LANGUAGES, language, isRemoval, [], { isEntry: false });
    if (language.ref) builder.inLanguage(language.language, language.ref);
  }
  for (const screen of diff.screens) addScreen(builder, screen);
  if (diff.colors.some(({ change }) => change !== "removed")) builder.section(COLORS, "Colours", COLORS);
  for (const color of diff.colors) {
    const isRemoval = color.change === "removed";
    builder.add(COLORS, isRemoval ? REMOVALS : COLORS, color, isRemoval);
  }
  for (const store of diff.stores) addStore(builder, store);
  return builder.review();
}

function addScreen(builder: Builder, screen: Diff["screens"][number]): void {
  const place = placeOfScreen(screen);
  const isGone = screen.change === "removed";
  const id = `screen/${screen.screen}`;
  const unlisted = screen.total - screen.keys.length;
  if (!isGone && (unlisted > 0 || screen.total === 0 || screen.keys.some(({ change }) => change !== "removed"))) {
    const own = screen.change === "added" ? (screen.ref ?? null) : null;
    builder.section(id, titleOf(screen.screen), place, own, unlisted);
  }
  if (screen.change !== "changed") {
    // The removal of a screen includes its keys that are not listed.
    const weight = isGone ? Math.max(screen.total, 1) - screen.keys.length : screen.total === 0 ? 1 : 0;
    builder.add(OUTLINE, isGone ? REMOVALS : id, screen, isGone, [], { weight, isEntry: false });
  }
  for (const key of screen.keys) {
    const isRemoval = key.change === "removed";
    builder.add(place, isGone || isRemoval ? REMOVALS : id, key, isRemoval, key.values, { hasLine: !isGone });
    if (isRemoval) continue;
    for (const { language, ref } of key.values) if (ref) builder.inLanguage(language, ref);
  }
}

function addStore(builder: Builder, store: StoreDiff): void {
  const place = placeOfStore(store);
  const id = `store/${store.store}`;
  const isLoss = isStoreLoss(store);
  const unlisted = keptBack(store);
  const isListed = (isOwnChange(store) && !isLoss) || store.items.some(({ change }) => change !== "removed");
  if (isListed || unlisted > 0) builder.section(id, store.name, place, null, unlisted);
  if (isOwnChange(store)) {
    const weight = store.change === "removed" ? Math.max(store.total, 1) : 1;
    builder.add(place, isLoss ? REMOVALS : id, store, store.change === "removed", [], {
      weight,
      size: 2,
      isEntry: false,
    });
  }
  for (const item of store.items) {
    const isRemoval = item.change === "removed";
    // The values of an item can't be left out one by one.
    builder.add(place, isRemoval ? REMOVALS : id, item, isRemoval, [], { size: item.values.length });
  }
}

class Builder {
  readonly #changes = new Map<string, Change[]>();
  readonly #entries: Entry[] = [];
  readonly #sections: Section[] = [];
  readonly #languages = new Map<string, string[]>();

  section(id: string, title: string, place: string | null, own: string | null = null, hidden = 0): void {
    this.#sections.push({ id, title, place, own, hidden });
  }

  add(
    place: string,
    section: string,
    of: Selectable,
    isRemoval: boolean,
    values: readonly Selectable[] = [],
    {
      weight = 1,
      size = values.length,
      hasLine = true,
      isEntry = true,
    }: Partial<Omit<Entry, "section" | "change">> = {},
  ): void {
    const change = changeOf(of, isRemoval, values);
    this.#entries.push({ section, weight, hasLine, isEntry, size, change });
    if (change === null) return;
    const group = this.#changes.get(place);
    if (group === undefined) this.#changes.set(place, [change]);
    else group.push(change);
  }

  inLanguage(language: string, ref: string): void {
    const refs = this.#languages.get(language);
    if (refs === undefined) this.#languages.set(language, [ref]);
    else refs.push(ref);
  }

  review(): Review {
    const lost = this.#entries.some(({ section }) => section === REMOVALS);
    const removals = { id: REMOVALS, title: "Removals", place: null, own: null, hidden: 0 };
    return {
      changes: this.#changes,
      entries: this.#entries,
      sections: lost ? [removals, ...this.#sections] : this.#sections,
      languages: this.#languages,
      hidden: this.#sections.reduce((sum, { hidden }) => sum + hidden, 0),
    };
  }
}

function changeOf(of: Selectable, isRemoval: boolean, values: readonly Selectable[]): Change | null {
  if (!of.ref) return null;
  const by = of.byId ?? null;
  const slots = values.flatMap(({ ref, byId, needs, tie }) =>
    ref ? [{ ref, by: byId ?? by, needs: needs ?? [], tie: tie ?? null }] : [],
  );
  // Values without references can't be left out one by one.
  const isWhole = slots.length < values.length;
  return { ref: of.ref, by, isRemoval, needs: of.needs ?? [], tie: of.tie ?? null, slots: isWhole ? [] : slots };
}
