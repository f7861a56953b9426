/** Which moment a date and a time on the clock of a zone mean. Where clocks change, a time may not exist, or come twice. */
import { DAY, wallTime } from "@/lib/instant";
import { SCHEDULE_AHEAD_SECONDS } from "@/lib/limits.gen";
import { formatUtcDay } from "@/lib/time";

export interface Meant {
  /** In milliseconds, the earliest first. Empty if the date or time is not valid. A time that does not exist means the time after it. */
  instants: readonly number[];
  /** The clock jumps over this time: `instants` has what is meant instead. */
  isSkipped: boolean;
}

const offset = (instant: number, zone: string): number => wallTime(instant, zone) - Math.floor(instant / 1_000) * 1_000;

const LONGEST_AHEAD = SCHEDULE_AHEAD_SECONDS * 1_000;

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

/** The last day of which some time can be chosen, on the clock of a zone. */
export function lastDay(now: number, zone: string): string {
  return new Date(wallTime(now + LONGEST_AHEAD, zone)).toISOString().slice(0, 10);
}

/** What keeps a choice from being scheduled, in the specification's words or the server's; null when nothing does. */
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
    return `Scheduled date must be on or after ${formatUtcDay(first)}.`;
  if (chosen <= now) return "Scheduled date and time must be in the future (based on your local time).";
  if (chosen > now + LONGEST_AHEAD) return "Choose a date within the next year.";
  return null;
}
