/**
 * All dates and times that the dashboard shows: with the order, the clock and the names of the browser's language. Words about them are English.
 * `testing/imports.test.ts` keeps other files from formatting dates.
 */
import { DAY, wallTime } from "./instant";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const DAY_S = 86_400;
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", DAY_S],
  ["hour", 3_600],
  ["minute", 60],
];

/** 'just now', '3 minutes ago', 'yesterday', 'in 2 days'. Both in milliseconds or as RFC 3339 text. Days are those of the calendar, in local time. */
export function relativeTime(moment: string | number, now: number): string {
  const seconds = Math.round((new Date(moment).getTime() - now) / 1000);
  if (!Number.isFinite(seconds)) return "";
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) < size) continue;
    // 47 hours are two nights: 'tomorrow' would be another day.
    const count = unit === "day" ? dayNumber(new Date(moment)) - dayNumber(new Date(now)) : Math.trunc(seconds / size);
    return relative.format(count, unit);
  }
  return "just now";
}

/** Counts days of the calendar, whose length differs where clocks are changed. */
const dayNumber = (date: Date): number =>
  Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / (DAY_S * 1000);

type Options = Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A browser may name a language that is no language tag, as 'en-US@posix'. */
function languages(): string[] {
  try {
    return Intl.getCanonicalLocales(navigator.languages);
  } catch {
    return ["en"];
  }
}

function format(options: Options, moment: string | number): string {
  const key = `${navigator.languages} ${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(languages(), options);
    formats.set(key, found);
  }
  // Some browsers put a narrow space before AM and PM, and others do not.
  const text = found.format(new Date(moment)).replaceAll("\u202f", " ");
  // Isolated: a date in Hebrew or Arabic letters must not reorder the English words and numbers beside it.
  return /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text;
}

const DAY_STYLE = { year: "numeric", month: "short", day: "numeric" } as const satisfies Options;
const TIME_STYLE = { hour: "numeric", minute: "2-digit" } as const satisfies Options;

/** 'Nov 20, 2026', in local time. */
export const formatDay = (moment: string): string => format(DAY_STYLE, moment);
/** 'Nov 20, 2026, 10:07 PM', in local time. */
export const formatMoment = (moment: string): string => format({ ...DAY_STYLE, ...TIME_STYLE }, moment);
/** '10:07 PM', in local time. */
export const formatTime = (moment: string): string => format(TIME_STYLE, moment);
/** 'Nov 20, 2026', of what is counted in UTC. */
export const formatUtcDay = (moment: string): string => format({ ...DAY_STYLE, timeZone: "UTC" }, moment);

/** 'November 2026', of a month as '2026-11' that is counted in UTC. */
export const formatUtcMonth = (month: string): string =>
  format({ year: "numeric", month: "long", timeZone: "UTC" }, `${month}-01T00:00:00Z`);

/** 'Mon, Nov 23, 2026, 9:00 AM GMT+1', on the clock of a zone. */
export const formatInstant = (instant: number, timeZone: string): string =>
  format({ ...DAY_STYLE, ...TIME_STYLE, weekday: "short", timeZone, timeZoneName: "shortOffset" }, instant);

const yearOf = (wall: number): number => new Date(wall).getUTCFullYear();

/** Formats a moment as 'today 5:30 PM', 'tomorrow 9:00 AM' or 'Mon, Nov 23, 9:00 AM'. Adds the year if it is not the current year. */
export function shortInstant(instant: number, now: number, timeZone: string): string {
  const [wall, present] = [wallTime(instant, timeZone), wallTime(now, timeZone)];
  const days = Math.floor(wall / DAY) - Math.floor(present / DAY);
  if (days === 0 || days === 1) {
    return `${days === 0 ? "today" : "tomorrow"} ${format({ ...TIME_STYLE, timeZone }, instant)}`;
  }
  const { year, ...date } = DAY_STYLE;
  const style = yearOf(wall) === yearOf(present) ? date : { ...date, year };
  return format({ ...style, ...TIME_STYLE, weekday: "short", timeZone }, instant);
}

/** Formats a day as 'Today', 'Yesterday' or 'Thursday, Nov 19', in local time. Adds the year if it is not the current year. */
export function dayName(moment: string, now: number): string {
  const ago = dayNumber(new Date(now)) - dayNumber(new Date(moment));
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  const { year, ...date } = DAY_STYLE;
  const isThisYear = new Date(moment).getFullYear() === new Date(now).getFullYear();
  return format({ ...date, ...(isThisYear ? {} : { year }), weekday: "long" }, moment);
}
