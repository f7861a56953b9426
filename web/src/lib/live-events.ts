/** The contents of the events in a project's stream. */
import { isRecord } from "./is-record";

export interface LiveEvent {
  readonly name: string;
  /** The activity's id; "" for an event that is on no record. */
  readonly id: string;
  readonly data: unknown;
}

export interface Person {
  readonly _id: string;
  readonly name: string;
}

/** Revisions by key: null where the key is gone. A screen that is null itself: any of its keys. */
export type Touched = Readonly<Record<string, number | null>>;

export interface Change {
  readonly by: Person | null;
  readonly screens: Readonly<Record<string, Touched | null>>;
  readonly colors: Touched;
  readonly release: number | null;
  readonly parts: ReadonlySet<Part>;
}

export type Part = (typeof PARTS)[number];

const PARTS = ["project", "members", "keys", "jobs", "texts", "stores", "images", "schedules", "everything"] as const;

const isPerson = (value: unknown): value is Person =>
  isRecord(value) && typeof value["_id"] === "string" && typeof value["name"] === "string";

const touchedIn = (value: unknown): Touched => (isRecord(value) ? (value as Touched) : {});

/** The contents of a `change` event, without the parts that this version does not know. */
export function changeOf(data: unknown): Change {
  const fields = isRecord(data) ? data : {};
  const screens = isRecord(fields["screens"]) ? fields["screens"] : {};
  return {
    by: isPerson(fields["by"]) ? fields["by"] : null,
    screens: Object.fromEntries(
      Object.entries(screens).map(([screen, keys]) => [screen, keys === null ? null : touchedIn(keys)]),
    ),
    colors: touchedIn(fields["colors"]),
    release: typeof fields["release"] === "number" ? fields["release"] : null,
    parts: new Set(PARTS.filter((part) => fields[part] === true)),
  };
}

/** The people who are there, from a `presence` event. */
export function peopleOf(data: unknown): Person[] {
  const people = isRecord(data) ? data["people"] : undefined;
  return Array.isArray(people) ? people.filter(isPerson) : [];
}

/** Within what time a `bye` asks to come back, in ms. */
export function spreadOf(data: unknown): number {
  const spread = isRecord(data) ? data["spreadMs"] : undefined;
  return typeof spread === "number" && spread >= 0 ? Math.min(spread, 60_000) : 0;
}
