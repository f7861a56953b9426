/** Which rows of a plan are ticked. Only what a person changed is kept, so that it outlives the plan that it was changed in. */
import { isRecord } from "@/lib/is-record";
import type { ApplyChoice, Plan, PlanRow, RowState } from "./queries";

export interface TickRow extends PlanRow {
  /** For lists. */
  readonly _id: string;
  /** The same in a later plan of the same files. */
  readonly ref: string;
}

/** A tick that a person changed, and what the row was then. */
interface Changed {
  readonly isOn: boolean;
  readonly state: RowState;
  readonly before: string;
}

export type Changes = ReadonlyMap<string, Changed>;

/** The changes as they are kept on the device. */
export type KeptTicks = [ref: string, changed: Changed][];

/** Reads what was kept; null for anything else. */
export function readTicks(stored: unknown): KeptTicks | null {
  if (!Array.isArray(stored)) return null;
  const isTick = (one: unknown) =>
    Array.isArray(one) &&
    typeof one[0] === "string" &&
    isRecord(one[1]) &&
    typeof one[1].isOn === "boolean" &&
    typeof one[1].before === "string" &&
    ORDER.some((state) => state === one[1].state);
  return stored.every(isTick) ? stored : null;
}

/** What comes first needs a look. */
const ORDER: readonly RowState[] = ["invalid", "conflict", "changed", "new", "same"];

/** The rows of a plan in the order in which they are shown. `nameOf` names a file by its number. */
export function rowsOf(plan: Plan, nameOf: (file: number) => string): TickRow[] {
  const rows = plan.rows.map((row) => ({
    ...row,
    _id: String(row.number),
    ref: [nameOf(row.file), row.place, row.name, row.language].join("\0"),
  }));
  return ORDER.flatMap((state) => rows.filter((row) => row.state === state));
}

export const canTick = ({ state }: PlanRow) => state === "new" || state === "changed" || state === "conflict";

/** Whether a row is ticked: by default what is new or changed. A tick by hand ends when it would overwrite a different text. */
export function isTicked(row: TickRow, changes: Changes): boolean {
  if (!canTick(row)) return false;
  const changed = changes.get(row.ref);
  const holds =
    changed !== undefined && (!changed.isOn || (changed.state === row.state && changed.before === row.before));
  return holds ? changed.isOn : row.state !== "conflict";
}

/** The changes after these rows are ticked or not. */
export function withTicks(changes: Changes, rows: readonly TickRow[], isOn: boolean): Changes {
  const next = new Map(changes);
  for (const row of rows.filter(canTick)) {
    if (isOn === (row.state !== "conflict")) next.delete(row.ref);
    else next.set(row.ref, { isOn, state: row.state, before: row.before });
  }
  return next;
}

/** What to write, in the fewest numbers: a state is taken whole if most of its rows are ticked. */
export function choiceOf(rows: readonly TickRow[], changes: Changes): ApplyChoice {
  const choice: ApplyChoice = { take: [], leaveOut: [], also: [] };
  for (const state of ["new", "changed", "conflict"] as const) {
    const all = rows.filter((row) => row.state === state);
    const ticked = all.filter((row) => isTicked(row, changes));
    if (ticked.length * 2 > all.length) {
      choice.take.push(state);
      const out = new Set(ticked);
      choice.leaveOut.push(...all.filter((row) => !out.has(row)).map(({ number }) => number));
    } else choice.also.push(...ticked.map(({ number }) => number));
  }
  return choice;
}
