/** What a publish leaves out, as the person ticks it: closed over what can't be published without it. */
import { useMemo, useState } from "react";
import type { Diff } from "@/lib/diff";
import type { TickState } from "@/ui/tick-box";
import { type Entry, OUTLINE, REMOVALS, type Review, reviewOf, type Section } from "./review-entries";
import { type Change, type Changes, close, required, select, shortened, stateOf, takeIn } from "./selection";

export interface Tally {
  state: TickState;
  picked: number;
  total: number;
}

const nothing: ReadonlySet<string> = new Set();
const named = (place: string) => `in:${place}`;

/** A selection at one moment. `chosen` has what the person left out: references, and `in:<place>` for places with changes that are not listed. */
export class Selection {
  readonly review: Review;
  readonly total: number;
  /** What stays in the draft: what is chosen, and what can't be published without it. */
  readonly out: ReadonlySet<string>;
  readonly #chosen: ReadonlySet<string>;
  readonly #owners = new Map<string, { change: Change; place: string }>();

  constructor(review: Review, total: number, chosen: ReadonlySet<string>) {
    this.review = review;
    this.total = total;
    this.#chosen = listed(review, chosen);
    this.out = keptWith(review, this.#chosen);
    for (const [place, group] of review.changes) {
      for (const change of group) {
        for (const { ref } of [change, ...change.slots]) this.#owners.set(ref, { change, place });
      }
    }
  }

  stateOf(ref: string): TickState {
    const change = this.#owners.get(ref)?.change;
    return change === undefined ? "on" : stateOf(change, this.out);
  }

  /** Whether a change or a slot is left out. */
  isOut(ref: string): boolean {
    return this.#isIn(this.out, ref);
  }

  /** Everything: `kept` changes stay in the draft, `partial` of them in part. */
  get whole(): Tally & { kept: number; partial: number } {
    const { sections, entries } = this.review;
    const unlisted = sections.reduce((sum, section) => sum + this.#keptUnlisted(section), 0);
    const sum = (state: TickState) =>
      entries.reduce(
        (all, { change, weight }) => all + (change && stateOf(change, this.out) === state ? weight : 0),
        0,
      );
    const [off, partial] = [sum("off") + unlisted, sum("part")];
    const state = off + partial === 0 && this.out.size === 0 ? "on" : off === this.total ? "off" : "part";
    return { state, picked: this.total - off, total: this.total, kept: off + partial, partial };
  }

  /** One section; with `shown` only these changes of it. Removals count by their lines: a removed screen is one line. */
  tallyOf(id: string, shown: ReadonlySet<string> | null = null): Tally | undefined {
    const section = this.review.sections.find((one) => one.id === id);
    if (section === undefined) return undefined;
    const hidden = shown === null ? section.hidden : 0;
    const left = shown === null ? this.#keptUnlisted(section) : 0;
    const sizeOf = (entry: Entry) => (id !== REMOVALS ? entry.weight : entry.hasLine ? 1 : 0);
    return this.#tally(entriesOf(this.review, id, shown), sizeOf, hidden, left);
  }

  /** Changes, or slots of them, such as the texts of a language. */
  tallyOfRefs(refs: readonly string[]): Tally {
    const all = new Set(refs.map((ref) => this.#owners.get(ref)?.change.ref));
    const into = refs.filter((ref) => !this.isOut(ref));
    const picked = new Set(into.map((ref) => this.#owners.get(ref)?.change.ref)).size;
    const state = into.length === refs.length ? "on" : into.length === 0 ? "off" : "part";
    return { state, picked, total: all.size };
  }

  /** Whether the changes of a section that are not listed stay in the draft. */
  keepsUnlisted({ hidden, place, own }: Section): boolean {
    return hidden > 0 && ((place !== null && this.#chosen.has(named(place))) || (own !== null && this.out.has(own)));
  }

  /** Why a single change can't be ticked: it is left out with others that are not listed. */
  fixedBy(ref: string): string | null {
    const place = this.#owners.get(ref)?.place;
    const section = this.review.sections.find((one) => one.place === place && one.hidden > 0);
    return section !== undefined && this.#chosen.has(named(section.place ?? ""))
      ? `Show all changes of ${section.title} to choose among them.`
      : null;
  }

  /** What is chosen once these are left out, with all of `places`. */
  without(refs: readonly string[], places: readonly string[] = []): ReadonlySet<string> {
    return new Set([...this.#chosen, ...refs, ...places.map(named)]);
  }

  /** What is chosen once these are published, with all of `places`. What else they need is published, too. */
  with(refs: readonly string[], places: readonly string[] = []): ReadonlySet<string> {
    const { changes } = this.review;
    const opened = new Set([...places, ...refs.map((ref) => this.#owners.get(ref)?.place ?? "")].map(named));
    // A place that was left out by its name comes back as a whole.
    const whole = [...changes].filter(([place]) => this.#chosen.has(named(place)) && opened.has(named(place)));
    const all = [...refs, ...whole.flatMap(([, group]) => group.map(({ ref }) => ref))];
    const chosen = new Set([...this.#chosen].filter((one) => !opened.has(one)));
    for (const ref of all) this.#drop(chosen, ref);
    const out = keptWith(this.review, chosen);
    const isEnough = [...required(changes, all)].every((ref) => !this.#isIn(out, ref));
    if (isEnough) return chosen;
    return new Set([...takeIn(changes, out, all), ...[...chosen].filter((one) => one.startsWith("in:"))]);
  }

  /** `leaveOut` of the publish. */
  toLeaveOut(): string[] {
    return shortened(this.review.changes, this.out, (place) => this.#isWhole(place, true));
  }

  /** References of all that is ticked; null where some of it is not listed and can't be named. */
  picked(): string[] | null {
    if (this.out.size === 0) return ["all"];
    const picked = new Set(
      [...this.review.changes.values()].flat().flatMap((change) => {
        const state = stateOf(change, this.out);
        if (state === "off") return [];
        return state === "on" ? [change.ref] : change.slots.map(({ ref }) => ref).filter((ref) => !this.isOut(ref));
      }),
    );
    const isCut = this.review.sections.some(
      (section) =>
        section.hidden > 0 &&
        !this.keepsUnlisted(section) &&
        (this.review.changes.get(section.place ?? "") ?? []).some(({ ref }) => !picked.has(ref)),
    );
    return isCut ? null : shortened(this.review.changes, picked, (place) => this.#isWhole(place, false));
  }

  #isWhole(place: string, isKept: boolean): boolean {
    // The list of screens and languages is never named as a whole: the review does not show all that is in it.
    if (place === OUTLINE) return false;
    return this.review.sections
      .filter((section) => section.place === place && section.hidden > 0)
      .every((section) => this.keepsUnlisted(section) === isKept);
  }

  /** Takes a change or a slot out of what is chosen. */
  #drop(chosen: Set<string>, ref: string): void {
    const change = this.#owners.get(ref)?.change;
    chosen.delete(ref);
    if (change === undefined) return;
    if (ref === change.ref) for (const slot of change.slots) chosen.delete(slot.ref);
    else if (chosen.delete(change.ref)) for (const slot of change.slots) if (slot.ref !== ref) chosen.add(slot.ref);
  }

  #isIn(refs: ReadonlySet<string>, ref: string): boolean {
    return refs.has(ref) || refs.has(this.#owners.get(ref)?.change.ref ?? "");
  }

  #keptUnlisted(section: Section): number {
    return this.keepsUnlisted(section) ? section.hidden : 0;
  }

  #tally(entries: readonly Entry[], sizeOf: (entry: Entry) => number, hidden: number, keptUnlisted: number): Tally {
    let total = hidden;
    let left = keptUnlisted;
    let isTouched = keptUnlisted > 0;
    for (const entry of entries) {
      const state = entry.change === null ? "on" : stateOf(entry.change, this.out);
      total += sizeOf(entry);
      if (state === "off") left += sizeOf(entry);
      isTouched ||= state !== "on";
    }
    return { state: !isTouched ? "on" : left === total ? "off" : "part", picked: total - left, total };
  }
}

const refsIn = (changes: Changes): string[] => [...changes.values()].flat().map(({ ref }) => ref);

/** What is chosen, with the names of changes in place of each `in:<place>` of which all is listed by now. */
function listed({ changes, sections }: Review, chosen: ReadonlySet<string>): ReadonlySet<string> {
  const whole = [...changes].filter(
    ([place]) => chosen.has(named(place)) && sections.every((one) => one.place !== place || one.hidden === 0),
  );
  if (whole.length === 0) return chosen;
  const known = new Set([...chosen, ...whole.flatMap(([, group]) => group.map(({ ref }) => ref))]);
  for (const [place] of whole) known.delete(named(place));
  return known;
}

/** Everything that stays in the draft when this is chosen. A new screen stays with the last of its keys: apps would get it empty. */
function keptWith(review: Review, chosen: ReadonlySet<string>): Set<string> {
  const { changes, sections } = review;
  const out = close(changes, select(changes, chosen));
  const emptied = sections.flatMap(({ id, own, hidden, place }) => {
    if (own === null || out.has(own) || (hidden > 0 && !chosen.has(named(place ?? "")))) return [];
    const keys = entriesOf(review, id).filter(({ change }) => change?.ref !== own);
    return keys.length > 0 && keys.every(({ change }) => change !== null && out.has(change.ref)) ? [own] : [];
  });
  return emptied.length === 0 ? out : close(changes, [...out, ...emptied]);
}

/** The entries of a section; with `shown` only these. */
function entriesOf({ entries }: Review, id: string, shown: ReadonlySet<string> | null = null): readonly Entry[] {
  return entries.filter(
    ({ section, change }) => section === id && (shown === null || (change !== null && shown.has(change.ref))),
  );
}

/** What is left out of the publish of `diff`. It stays when the diff changes, as far as its changes still exist. */
export function useSelection(diff: Diff) {
  const [chosen, setChosen] = useState(nothing);
  const review = useMemo(() => reviewOf(diff), [diff]);
  const selection = useMemo(() => new Selection(review, diff.total, chosen), [review, diff.total, chosen]);
  return useMemo(
    () => ({
      selection,
      tick: (refs: readonly string[], isOn: boolean) =>
        setChosen(isOn ? selection.with(refs) : selection.without(refs)),
      tickSection: (id: string, isOn: boolean, shown: ReadonlySet<string> | null) => {
        const section = review.sections.find((one) => one.id === id);
        const refs = entriesOf(review, id, shown).flatMap(({ change }) => change?.ref ?? []);
        const own = shown === null && section?.own ? [section.own] : [];
        const places = shown === null && section?.place && section.hidden > 0 ? [section.place] : [];
        setChosen(isOn ? selection.with([...own, ...refs], places) : selection.without([...own, ...refs], places));
      },
      tickAll: (isOn: boolean) => {
        const places = review.sections.flatMap(({ hidden, place }) => (hidden > 0 && place !== null ? [place] : []));
        setChosen(isOn ? nothing : selection.without(refsIn(review.changes), places));
      },
    }),
    [selection, review],
  );
}
