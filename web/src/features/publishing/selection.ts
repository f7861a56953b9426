/**
 * Which unpublished changes can be published or discarded without which others. Mirrors `select` and `close` of
 * `livery/content/changes.py`. Pure functions.
 *
 * A reference names a change (`text:key_1`) or one slot of it (`text:key_1/de`): one of its texts or values.
 */

export interface Slot {
  ref: string;
  /** The id of who edited it last; null for a deleted account. */
  by: string | null;
  needs: readonly string[];
  tie: string | null;
}

export interface Change {
  ref: string;
  by: string | null;
  /** A removal has no slots that can be left out. */
  isRemoval: boolean;
  /** Changes without which it can't be published. */
  needs: readonly string[];
  /** Changes with an equal tie are published together or not at all. */
  tie: string | null;
  slots: readonly Slot[];
}

/** The changes by place: `screen/home`, `colors`, `store/sto_1`, `project`. */
export type Changes = ReadonlyMap<string, readonly Change[]>;

type Refs = ReadonlySet<string>;

/** Returns the changes and slots that `refs` names: by their references, `in:<place>`, `by:<user id>` or `all`. */
export function select(changes: Changes, refs: Iterable<string>): Set<string> {
  const wanted = new Set(refs);
  const found = new Set<string>();
  for (const [place, group] of changes) {
    const isWhole = wanted.has("all") || wanted.has(`in:${place}`);
    for (const change of group) {
      if (isWhole || wanted.has(change.ref)) {
        found.add(change.ref);
        continue;
      }
      for (const slot of change.slots) {
        if (wanted.has(slot.ref) || wanted.has(`by:${slot.by}`)) found.add(slot.ref);
      }
      if (change.slots.length === 0 && wanted.has(`by:${change.by}`)) found.add(change.ref);
    }
  }
  return folded(changes, found);
}

/** Returns `leftOut` with every change and slot that can't be published without something that is left out. */
export function close(changes: Changes, leftOut: Iterable<string>): Set<string> {
  let found = new Set(leftOut);
  for (;;) {
    const more = folded(changes, new Set([...found, ...dependent(changes, found)]));
    if (more.size === found.size) return found;
    found = more;
  }
}

/**
 * Returns what is left out once `refs` are published, given a closed `leftOut`: what they need, and what is tied to them, is
 * published too.
 */
export function takeIn(changes: Changes, leftOut: Refs, refs: Iterable<string>): Set<string> {
  const taken = required(changes, refs);
  const rest = [...unitsNamed(changes, leftOut)].filter((unit) => !taken.has(unit));
  return close(changes, folded(changes, new Set(rest)));
}

/** Whether a change is published wholly, in part or not at all. */
export function stateOf({ ref, slots }: Change, leftOut: Refs): "on" | "part" | "off" {
  if (leftOut.has(ref)) return "off";
  return slots.some((slot) => leftOut.has(slot.ref)) ? "part" : "on";
}

/** Returns the fewest references that name `leftOut`: a place of which all is left out by its name, where `isWhole` allows it. */
export function shortened(changes: Changes, leftOut: Refs, isWhole: (place: string) => boolean): string[] {
  return [...changes].flatMap(([place, group]) => {
    const isAll = group.length > 0 && group.every(({ ref }) => leftOut.has(ref));
    if (isAll && isWhole(place)) return [`in:${place}`];
    return group.flatMap(({ ref, slots }) =>
      leftOut.has(ref) ? [ref] : slots.flatMap((slot) => (leftOut.has(slot.ref) ? [slot.ref] : [])),
    );
  });
}

/** Names a change whose slots are all in `found`, and a removal of which a slot is, by the change itself. */
function folded(changes: Changes, found: Set<string>): Set<string> {
  const all = new Set(found);
  for (const group of changes.values()) {
    for (const { ref, slots, isRemoval } of group) {
      const isIn = (slot: Slot) => found.has(slot.ref);
      if (slots.length > 0 && (isRemoval ? slots.some(isIn) : slots.every(isIn))) all.add(ref);
    }
  }
  return all;
}

function* dependent(changes: Changes, leftOut: Refs): Iterable<string> {
  const ties = new Set<string | null>();
  for (const group of changes.values()) {
    for (const change of group) for (const tie of tiesIn(change, leftOut)) ties.add(tie);
  }
  ties.delete(null);
  for (const group of changes.values()) {
    for (const change of group) {
      if (ties.has(change.tie) || change.needs.some((need) => leftOut.has(need))) yield change.ref;
      for (const slot of change.slots) {
        if (ties.has(slot.tie) || slot.needs.some((need) => leftOut.has(need))) yield slot.ref;
      }
    }
  }
}

function tiesIn(change: Change, leftOut: Refs): (string | null)[] {
  if (leftOut.has(change.ref)) return [change.tie, ...change.slots.map(({ tie }) => tie)];
  return change.slots.filter(({ ref }) => leftOut.has(ref)).map(({ tie }) => tie);
}

/** The smallest parts of a change that can be left out alone. */
const unitsOf = ({ ref, slots, isRemoval }: Change): readonly string[] =>
  isRemoval || slots.length === 0 ? [ref] : slots.map((slot) => slot.ref);

function unitsNamed(changes: Changes, refs: Refs): Set<string> {
  const units = new Set<string>();
  for (const group of changes.values()) {
    for (const change of group) {
      for (const unit of unitsOf(change)) if (refs.has(change.ref) || refs.has(unit)) units.add(unit);
    }
  }
  return units;
}

/** Returns the smallest parts that `refs` names, with all that they need and all that is tied to them. */
export function required(changes: Changes, refs: Iterable<string>): Set<string> {
  let units = unitsNamed(changes, new Set(refs));
  for (;;) {
    const needs = new Set<string>();
    const ties = new Set<string | null>();
    for (const group of changes.values()) {
      for (const change of group) {
        const own = unitsOf(change).filter((unit) => units.has(unit));
        if (own.length === 0) continue;
        const slots = change.slots.filter(({ ref }) => change.isRemoval || units.has(ref));
        for (const { needs: named, tie } of [change, ...slots]) {
          for (const need of named) needs.add(need);
          ties.add(tie);
        }
      }
    }
    ties.delete(null);
    const tied = [...changes.values()]
      .flat()
      .flatMap((change) => [
        ...(ties.has(change.tie) ? [change.ref] : []),
        ...change.slots.filter(({ tie }) => ties.has(tie)).map(({ ref }) => ref),
      ]);
    const more = new Set([...units, ...unitsNamed(changes, new Set([...needs, ...tied]))]);
    if (more.size === units.size) return units;
    units = more;
  }
}
