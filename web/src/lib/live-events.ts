/** Server-sent events as they come off the wire, and what those of a project's stream say. */
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

/** The events of a stream, until it ends. Comments are passed over, but `onBytes` hears of them. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<LiveEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseBlock(block: string): LiveEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const at = line.indexOf(": ");
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2));
  }
  const [name, data] = [fields.get("event"), fields.get("data")];
  if (name === undefined || data === undefined) return undefined;
  try {
    return { name, id: fields.get("id") ?? "", data: JSON.parse(data) };
  } catch {
    return undefined;
  }
}

const isPerson = (value: unknown): value is Person =>
  isRecord(value) && typeof value["_id"] === "string" && typeof value["name"] === "string";

const touchedIn = (value: unknown): Touched => (isRecord(value) ? (value as Touched) : {});

/** What a `change` event says; parts that this version does not know are left out. */
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

/** Who is there, as a `presence` event says. */
export function peopleOf(data: unknown): Person[] {
  const people = isRecord(data) ? data["people"] : undefined;
  return Array.isArray(people) ? people.filter(isPerson) : [];
}

/** Within what time a `bye` asks to come back, in ms. */
export function spreadOf(data: unknown): number {
  const spread = isRecord(data) ? data["spreadMs"] : undefined;
  return typeof spread === "number" && spread >= 0 ? Math.min(spread, 60_000) : 0;
}
