/** Parts of a diff: what a filter shows, what a discard takes away, what apps lose. */
import { type Diff, isOwnChange, keptBack, type StoreDiff } from "@/lib/diff";
import { isStoreLoss, placeOfScreen, placeOfStore } from "./review-entries";

type Ref = string | null | undefined;

export interface Part {
  /** Whether a change is in the part, wholly or with some of its texts. */
  has: (ref: Ref) => boolean;
  /** Whether a text of a key is. */
  hasText: (key: Ref, text: Ref) => boolean;
  /** Whether the changes of a place that are not listed are. */
  hasUnlisted: (place: string, own: Ref) => boolean;
}

/** Returns the diff with the changes of the part alone; without removals where `isLossless`. */
export function partOf(diff: Diff, part: Part, isLossless = false): Diff {
  const isIn = ({ ref, change }: { ref?: Ref; change: string }) =>
    part.has(ref) && !(isLossless && change === "removed");
  const screens = diff.screens.flatMap((screen) => {
    if (isLossless && screen.change === "removed") return [];
    const keys = screen.keys
      .filter(isIn)
      .map((key) => ({ ...key, values: key.values.filter(({ ref }) => part.hasText(key.ref, ref)) }));
    const unlisted = part.hasUnlisted(placeOfScreen(screen), screen.ref) ? screen.total - screen.keys.length : 0;
    const isAlone = screen.change !== "changed" && screen.total === 0 && part.has(screen.ref);
    const isWhole = screen.change === "removed" && part.has(screen.ref);
    if (keys.length + unlisted === 0 && !isAlone && !isWhole) return [];
    return [{ ...screen, keys, total: keys.length + unlisted }];
  });
  const stores = diff.stores.flatMap((store) => {
    const items = store.items.filter(isIn);
    const unlisted = part.hasUnlisted(placeOfStore(store), store.ref) ? keptBack(store) : 0;
    const hasOwn = isOwnChange(store) && part.has(store.ref) && !(isLossless && isStoreLoss(store));
    if (items.length + unlisted === 0 && !hasOwn) return [];
    const total = items.length + unlisted + (hasOwn ? 1 : 0);
    return [{ ...(hasOwn ? store : withoutOwn(store)), items, total }];
  });
  return { ...diff, screens, stores, colors: diff.colors.filter(isIn), languages: diff.languages.filter(isIn) };
}

/** The store without what changes of it beside its items. */
const withoutOwn = (store: StoreDiff): StoreDiff => ({
  ...store,
  change: "changed",
  oldName: store.newName,
  fields: [],
  fieldsMoved: false,
  ref: null,
});

/** The references of changes about which there is a warning. */
export function warnedIn({ warnings, screens, stores }: Diff): Set<string> {
  const refs = new Set<string>();
  for (const { screen, store, entries } of warnings) {
    const ids = new Set(entries.map(({ _id }) => _id));
    const keys = screens.find((one) => screen !== null && one.screen === screen)?.keys ?? [];
    const items = stores.find((one) => store !== null && one.store === store)?.items ?? [];
    for (const { key, ref } of keys) if (ref && ids.has(key)) refs.add(ref);
    for (const { _id, ref } of items) if (ref && ids.has(_id)) refs.add(ref);
  }
  return refs;
}

/** The warnings about changes that are listed. */
export function warningsOf({ warnings, screens, stores }: Diff): Diff["warnings"] {
  return warnings.map((place) => {
    const keys = screens.find((one) => one.screen === place.screen)?.keys ?? [];
    const items = stores.find((one) => one.store === place.store)?.items ?? [];
    const ids = new Set([...keys.map(({ key }) => key), ...items.map(({ _id }) => _id)]);
    return { ...place, entries: place.entries.filter(({ _id }) => ids.has(_id)) };
  });
}

/** What apps lose of `diff` with a publish that leaves these changes out. */
export function lossesOf(diff: Diff, isOut: (ref: Ref) => boolean): Diff["losses"] {
  const { losses } = diff;
  const lost = ({ change }: { change: string }) => change === "removed";
  const kept = (changes: readonly { change: string; ref?: Ref }[]) =>
    changes.filter((change) => lost(change) && isOut(change.ref)).length;
  const keptScreens = diff.screens.filter((screen) => lost(screen) && isOut(screen.ref));
  const keptStores = diff.stores.filter((store) => isStoreLoss(store) && isOut(store.ref));
  const keptTexts = diff.screens.reduce(
    (sum, screen) => sum + (keptScreens.includes(screen) ? screen.total : kept(screen.keys)),
    0,
  );
  const removedItems = diff.stores.flatMap(({ items }) => items).filter(lost);
  return {
    screens: losses.screens.filter((name) => keptScreens.every(({ screen }) => screen !== name)),
    texts: Math.max(0, losses.texts - keptTexts),
    colors: losses.colors - kept(diff.colors),
    stores: losses.stores.filter((name) => keptStores.every(({ store }) => store !== name)),
    fields: losses.fields.filter((field) => keptStores.every(({ store }) => !field.startsWith(`${store}.`))),
    // The items of a removed store are counted together with all others.
    items: keptStores.some(lost) ? removedItems.length - kept(removedItems) : losses.items - kept(removedItems),
    languages: losses.languages.filter((code) =>
      diff.languages.every(({ language, change, ref }) => language !== code || change !== "removed" || !isOut(ref)),
    ),
  };
}
