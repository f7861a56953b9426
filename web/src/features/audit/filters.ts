/** What the log is filtered by: in the address of the page, and as the API takes it. */
import { AUDIT_SEARCH_CHARACTERS, ID_CHARACTERS } from "@/lib/limits.gen";

export interface Filters {
  /** A person's id, or `job` or `operator`; empty for all, as every other filter. */
  actor: string;
  /** A code of an act, or its area. */
  action: string;
  /** The first and the last day, as '2026-11-20', on this browser's calendar. */
  from: string;
  to: string;
  /** A part of the target. */
  text: string;
}

const NAMES = ["actor", "action", "from", "to", "text"] as const;
/** As the server takes them. */
const ACTION = /^[a-z_]{1,40}(\.[a-z_]{1,23})?$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

export const areas = [
  { value: "screens", label: "Texts and keys" },
  { value: "colors", label: "Colours" },
  { value: "images", label: "Images" },
  { value: "stores", label: "Data stores" },
  { value: "ai", label: "AI translation" },
  { value: "publishing", label: "Publishing" },
  { value: "projects", label: "Project and members" },
  { value: "billing", label: "Plan" },
] as const;

/** An address may have been typed: what the server would refuse is left out. */
export function filtersIn(search: URLSearchParams): Filters {
  const read = (name: (typeof NAMES)[number]) => search.get(name) ?? "";
  const [action, from, to] = [read("action"), read("from"), read("to")];
  return {
    actor: read("actor").slice(0, ID_CHARACTERS),
    action: ACTION.test(action) ? action : "",
    from: dayStart(from) === undefined ? "" : from,
    to: dayStart(to) === undefined ? "" : to,
    text: read("text").slice(0, AUDIT_SEARCH_CHARACTERS),
  };
}

export function searchOf(filters: Filters): URLSearchParams {
  return new URLSearchParams(NAMES.filter((name) => filters[name] !== "").map((name) => [name, filters[name]]));
}

export const isFiltered = (filters: Filters) => NAMES.some((name) => filters[name] !== "");

/** Whether no day can be in it. */
export const isReversed = ({ from, to }: Filters) => from !== "" && to !== "" && from > to;

export interface Wanted {
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
  text?: string;
}

export function wantedOf({ actor, action, from, to, text }: Filters): Wanted {
  const [start, end] = [dayStart(from), dayStart(to, 1)];
  return {
    ...(actor !== "" && { actor }),
    ...(action !== "" && { action }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
    ...(text.trim() !== "" && { text: text.trim() }),
  };
}

/** The moment at which a day begins here, or a later day; undefined for what is no day. */
function dayStart(day: string, later = 0): string | undefined {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined || year < 1970) return undefined;
  const moment = new Date(year, month - 1, date + later);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
