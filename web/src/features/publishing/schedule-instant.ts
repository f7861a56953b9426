/** Which moment a date and a time on the clock of a zone mean. Where clocks change, a time may not exist, or come twice. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Meant {
  /** In milliseconds, the earliest first; none for a date or time that is none. A time that does not exist means the one after it. */
  instants: readonly number[];
  /** The clock jumps over this time: `instants` has what is meant instead. */
  isSkipped: boolean;
}

/** The zone of this browser, as 'Europe/Berlin'. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "iso8601",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** What the clock of a zone shows at a moment, as if it were UTC. */
function wallTime(instant: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

const offset = (instant: number, zone: string): number => wallTime(instant, zone) - Math.floor(instant / 1_000) * 1_000;

/** As inputs give them: '2026-11-23' and '09:00'. */
export function meant(date: string, time: string, zone: string): Meant {
  const wall = /^\d{4}-\d{2}-\d{2}$/.test(date) && /^\d{2}:\d{2}$/.test(time) ? Date.parse(`${date}T${time}:00Z`) : NaN;
  // The 31st of February is parsed as the 3rd of March, or not at all.
  if (!Number.isFinite(wall) || new Date(wall).toISOString().slice(0, 16) !== `${date}T${time}`)
    return { instants: [], isSkipped: false };
  // A clock changes at most once in these two days; one of the two offsets is right, or both, or neither.
  const [before, after] = [offset(wall - DAY, zone), offset(wall + DAY, zone)];
  const instants = [...new Set([wall - before, wall - after])].filter((instant) => wallTime(instant, zone) === wall);
  if (instants.length > 0) return { instants: instants.sort((one, other) => one - other), isSkipped: false };
  return { instants: [wall - before], isSkipped: true };
}

/** The day after today on the clock of a zone, as '2026-11-23'. */
export function tomorrow(now: number, zone: string): string {
  return new Date(wallTime(now, zone) + DAY).toISOString().slice(0, 10);
}

/** What keeps a choice from being scheduled, in the specification's words; null when nothing does. */
export function problemOf(
  date: string,
  time: string,
  chosen: number | undefined,
  now: number,
  zone: string,
): string | null {
  if (date === "" || time === "") return "Please select both a date and a time for publishing.";
  if (chosen === undefined) return "Invalid date or time selected.";
  const first = tomorrow(now, zone);
  // Days are compared as such, at midnight UTC: no zone moves one of the two.
  if (Date.parse(`${date}T00:00:00Z`) < Date.parse(`${first}T00:00:00Z`))
    return `Scheduled date must be on or after ${spokenDay(first)}.`;
  if (chosen <= now) return "Scheduled date and time must be in the future (based on your local time).";
  return null;
}

function spokenDay(date: string): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(date));
}

/** 'Mon, Nov 23, 2026, 09:00 GMT+1'. */
export function spokenInstant(instant: number, zone: string): string {
  return new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "shortOffset",
  }).format(instant);
}

/** 'today 17:30', 'tomorrow 09:00', 'Mon, Nov 23, 09:00'; with the year when it is another one. */
export function shortInstant(instant: number, now: number, zone: string): string {
  const [day, today] = [wallTime(instant, zone), wallTime(now, zone)].map((wall) => Math.floor(wall / DAY));
  const clock = new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" });
  if (day === today) return `today ${clock.format(instant)}`;
  if (day === (today ?? 0) + 1) return `tomorrow ${clock.format(instant)}`;
  const isSameYear =
    new Date(wallTime(instant, zone)).getUTCFullYear() === new Date(wallTime(now, zone)).getUTCFullYear();
  const date = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    weekday: "short",
    month: "short",
    day: "numeric",
    ...(isSameYear ? {} : { year: "numeric" }),
  });
  return `${date.format(instant)}, ${clock.format(instant)}`;
}
