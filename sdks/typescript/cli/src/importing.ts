/** Imports: files become a plan on the server, and the plan becomes texts, colours and items of the draft. */

import type { Api } from "./api.js";
import type { LocaleFile } from "./locales.js";

export type State = "new" | "same" | "changed" | "conflict" | "invalid";

export interface Row {
  readonly kind: "texts" | "colors" | "items";
  readonly name: string;
  readonly screen: string | null;
  readonly key: string | null;
  readonly language: string | null;
  readonly text: string;
  readonly before: string;
  readonly state: State;
  readonly note: string | null;
  readonly place: string;
  readonly problem: string | null;
}

export interface Plan {
  readonly token: string;
  readonly counts: Readonly<Record<State, number>>;
  readonly newScreens: readonly string[];
  readonly unknownLanguages: readonly string[];
  readonly rows: readonly Row[];
  readonly remarks: readonly { readonly name: string; readonly sentence: string }[];
}

export interface Settings {
  readonly projectId: string;
  readonly format?: string | undefined;
  readonly screen?: string | undefined;
  /** The API identifier of the Data Store whose items the files have. */
  readonly store?: string | undefined;
  /** The field that finds the item of a row, in place of its `_id`. */
  readonly match?: string | undefined;
}

const SIGNS: Readonly<Record<State, string>> = { new: "+", changed: "~", conflict: "!", invalid: "x", same: " " };
const SHOWN = 60;

const base = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}/imports`;

/** Sends the files, and calls `use` with the plan. Takes the files out of the server again unless `use` applied the plan. */
export async function withPlan<Result>(
  api: Api,
  settings: Settings,
  files: readonly LocaleFile[],
  use: (plan: Plan, importId: string) => Promise<{ applied: boolean; result: Result }>,
): Promise<Result> {
  const { projectId, format, screen, store, match } = settings;
  const { _id: id } = await api.post<{ _id: string }>(base(projectId), { screen: screen ?? null });
  const numbers: number[] = [];
  let isApplied = false;
  try {
    for (const { name, bytes, language, namespace } of files) {
      const path = `/api/import-files/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}`;
      const query = { name, format, language, namespace, store, match };
      numbers.push((await api.send<{ number: number }>(path, query, bytes)).number);
    }
    const plan = await api.get<Plan>(`${base(projectId)}/${id}/plan`);
    const { applied, result } = await use(plan, id);
    isApplied = applied;
    return result;
  } finally {
    // A file that stays is listed as an open import for a week: no reason to hide what went wrong before.
    const remove = (number: number) => api.remove(`${base(projectId)}/${id}/files/${number}`).catch(() => undefined);
    if (!isApplied) for (const number of numbers) await remove(number);
  }
}

export interface Applied {
  readonly message: string;
  readonly texts: number;
  readonly colors: number;
  readonly items: number;
}

/** Writes the rows in these states. The server refuses if the draft changed since the plan was read. */
export function apply(api: Api, projectId: string, importId: string, plan: Plan, take: readonly State[]) {
  const path = `${base(projectId)}/${encodeURIComponent(importId)}/apply`;
  return api.post<Applied>(path, { take, token: plan.token });
}

export function undo(api: Api, projectId: string, importId: string): Promise<{ message: string; kept: number }> {
  return api.post(`${base(projectId)}/${encodeURIComponent(importId)}/undo`);
}

function shown(text: string): string {
  const line = JSON.stringify(text);
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…"` : line;
}

export function keyOf(row: Row): string {
  if (row.kind === "items") return row.name || row.place;
  if (row.kind === "colors") return row.key ?? row.name;
  return row.screen === null || row.key === null ? row.name : `${row.screen}.${row.key}`;
}

/** Returns a line for each row in these states: what it does to the draft, or why it can't. */
export function linesOf(plan: Plan, states: readonly State[]): string[] {
  // A language that the project lacks has one line, in the sum.
  const rows = plan.rows.filter((one) => states.includes(one.state) && one.problem !== "unknown_language");
  const lines = rows.map((row) => {
    const before = row.before && row.before !== row.text ? `${shown(row.before)} → ` : "";
    const place = row.state === "invalid" && row.place ? `${row.place}: ` : "";
    const note = row.note ? ` (${place}${row.note})` : "";
    const language = row.kind === "texts" ? ` [${row.language ?? "?"}]` : "";
    return `${SIGNS[row.state]} ${keyOf(row)}${language} ${before}${shown(row.text)}${note}`;
  });
  return [...lines, ...plan.remarks.map((one) => `- ${one.name}: ${one.sentence}`)];
}

export function sumOf({ counts, newScreens, unknownLanguages }: Plan): string[] {
  const screens = newScreens.length ? [`New screens: ${newScreens.join(", ")}.`] : [];
  const languages = unknownLanguages.length
    ? [
        `Languages that the project lacks: ${unknownLanguages.join(", ")}. Add them in the dashboard: their texts are not written.`,
      ]
    : [];
  const { same, changed, conflict, invalid } = counts;
  const sum = `${counts.new} new, ${changed} changed, ${conflict} ${conflict === 1 ? "conflict" : "conflicts"}, ${invalid} invalid, ${same} the same.`;
  return [...screens, ...languages, sum];
}
