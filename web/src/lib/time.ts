/** Dates as people say them, in the browser's language setting for numbers and English for words. */
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

const day = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric" });
const full = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** 'Nov 20, 2026', in local time. */
export const formatDay = (moment: string): string => day.format(new Date(moment));
/** 'Nov 20, 2026, 10:07 PM', in local time. */
export const formatMoment = (moment: string): string => full.format(new Date(moment));

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short" });
/** '10:07 PM', in local time. */
export const formatTime = (moment: string): string => clock.format(new Date(moment));

const utcDay = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
/** 'Nov 20, 2026', of what is counted in UTC. */
export const formatUtcDay = (moment: string): string => utcDay.format(new Date(moment));
