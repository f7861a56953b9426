/** Moments on the clock of a zone. */

export const DAY = 24 * 60 * 60_000;

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
export function wallTime(instant: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
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
