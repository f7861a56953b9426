/**
 * Which keys of a screen are shown: all keys, or the keys that need something done, and only the keys that a search
 * finds.
 */
import { useState } from "react";
import type { Edit } from "./edit";
import type { KeyRecord } from "./queries";

const FILTERS = ["all", "missing", "changed", "ai", "outdated", "check"] as const;
export type Filter = (typeof FILTERS)[number];

export const isFilter = (value: string | null): value is Filter => FILTERS.some((filter) => filter === value);

/** The languages in the columns; `target` is undefined in a project of one language. */
export interface Columns {
  source: string;
  target: string | undefined;
}

export type TextOf = (record: KeyRecord, language: string) => string;

export const shownLanguages = ({ source, target }: Columns) => (target === undefined ? [source] : [source, target]);

/** Whether a shown language has no text: without that of the default language, nobody can translate the key. */
export function isMissing(record: KeyRecord, columns: Columns, textOf: TextOf): boolean {
  return shownLanguages(columns).some((language) => textOf(record, language) === "");
}

/** Whether what AI wrote is the disguise that tests layouts, by its brackets: '[!!! Ŵéļçöḿé !!!]'. */
export function isPseudo(record: KeyRecord, columns: Columns): boolean {
  return shownLanguages(columns).some(
    (language) => record.meta[language]?.by === "ai" && /^\[!!! [\s\S]* !!!\]$/u.test(record.values[language] ?? ""),
  );
}

/**
 * The state of the shown texts of a key. 'elsewhere': apps have these texts, and texts in other languages are unpublished.
 * An edit that is not settled yet is no change.
 */
export function shownState(record: KeyRecord, columns: Columns): KeyRecord["state"] | "elsewhere" {
  const languages = shownLanguages(columns);
  const states = languages.flatMap((language) => {
    const meta = record.meta[language];
    return meta !== undefined && (meta.state !== "new" || record.values[language]) ? [meta.state] : [];
  });
  if (states.includes("new")) return "new";
  if (states.includes("changed")) return "changed";
  if (languages.every((language) => !record.values[language])) return "empty";
  return record.state === "published" || record.state === "empty" ? record.state : "elsewhere";
}

/** Whether a publish would change one of the shown texts. */
export function isChanged(record: KeyRecord, columns: Columns): boolean {
  const state = shownState(record, columns);
  return state === "new" || state === "changed";
}

/** Whether the default language's text was changed after the other column's was written or confirmed. */
export function isOutdated(record: KeyRecord, { source, target }: Columns): boolean {
  if (target === undefined || !record.values[source] || !record.values[target]) return false;
  const [sourceAt, targetAt] = [record.meta[source]?.at, record.meta[target]?.at];
  return sourceAt !== undefined && targetAt !== undefined && Date.parse(sourceAt) > Date.parse(targetAt);
}

export function isByAi(record: KeyRecord, columns: Columns): boolean {
  return shownLanguages(columns).some(
    (language) => record.meta[language]?.by === "ai" && Boolean(record.values[language]),
  );
}

/** Whether something is wrong with a shown text, by the warnings beside the texts. */
export type NeedsCheck = (record: KeyRecord) => boolean;

export function matchesFilter(
  record: KeyRecord,
  filter: Filter,
  columns: Columns,
  textOf: TextOf,
  needsCheck: NeedsCheck,
): boolean {
  switch (filter) {
    case "missing":
      return isMissing(record, columns, textOf);
    case "changed":
      return isChanged(record, columns);
    case "ai":
      return isByAi(record, columns);
    case "outdated":
      return isOutdated(record, columns);
    case "check":
      return needsCheck(record);
    default:
      return true;
  }
}

/** Lower case and without accents, so that 'uber' finds 'Über'. */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export function matchesSearch(record: KeyRecord, query: string, columns: Columns, textOf: TextOf): boolean {
  const wanted = folded(query.trim());
  if (wanted === "") return true;
  return [record.key, ...shownLanguages(columns).map((language) => textOf(record, language))].some((text) =>
    folded(text).includes(wanted),
  );
}

export function countsOf(
  records: readonly KeyRecord[],
  columns: Columns,
  textOf: TextOf,
  needsCheck: NeedsCheck,
): Record<Filter, number> {
  const count = (filter: Filter) =>
    records.filter((record) => matchesFilter(record, filter, columns, textOf, needsCheck)).length;
  return {
    all: records.length,
    missing: count("missing"),
    changed: count("changed"),
    ai: count("ai"),
    outdated: count("outdated"),
    check: count("check"),
  };
}

/** 100 only when nothing is missing. */
export const percentOf = (done: number, total: number): number =>
  total === 0 ? 100 : Math.floor((done / total) * 100);

/** The part of an edit's texts that counts for what a cell shows. */
/** What its author wrote, until the server has it: from then on the record counts, which somebody else may change at once. */
export const pendingText = (edit: Edit | undefined, record: KeyRecord, language: string) =>
  (edit?.status === "saved" ? undefined : edit?.text) ?? record.values[language] ?? "";

const sameItems = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Returns the ids of the keys to show, in order. They are found when the filter, the search or the set of keys changes.
 * They are kept while texts are edited: a row does not vanish under the hands of its author. Every filter shows the `kept`
 * ids. With a different `round`, the ids are found again.
 */
export function useShownIds(
  records: readonly KeyRecord[],
  filter: Filter,
  query: string,
  columns: Columns,
  textOf: TextOf,
  needsCheck: NeedsCheck,
  kept: ReadonlySet<string>,
  round: number,
): readonly string[] {
  const compute = () => {
    const shown = records.filter(
      (record) =>
        kept.has(record._id) ||
        (matchesFilter(record, filter, columns, textOf, needsCheck) && matchesSearch(record, query, columns, textOf)),
    );
    return { cause, all: records.map((record) => record._id), shown: shown.map((record) => record._id) };
  };
  const cause = JSON.stringify([filter, query, columns, round]);
  const [state, setState] = useState(compute);
  const isStale =
    state.cause !== cause ||
    !sameItems(
      state.all,
      records.map((record) => record._id),
    );
  if (!isStale) return state.shown;
  const fresh = compute();
  setState(fresh);
  return fresh.shown;
}
