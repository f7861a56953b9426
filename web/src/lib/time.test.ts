import { afterEach, expect, test, vi } from "vitest";
import { dayName, formatDay, formatInstant, formatMoment, formatTime, relativeTime, shortInstant } from "./time";

afterEach(() => {
  vi.restoreAllMocks();
});

const now = new Date(2026, 10, 22, 19, 43).getTime();

test.each([
  ["48 hours less a few seconds", new Date(2026, 10, 24, 19, 42, 50), "in 2 days"],
  ["25 hours", new Date(2026, 10, 23, 20, 43), "tomorrow"],
  ["29 hours, over two midnights", new Date(2026, 10, 24, 0, 43), "in 2 days"],
  ["23 hours", new Date(2026, 10, 23, 18, 43), "in 23 hours"],
  ["almost two days ago", new Date(2026, 10, 21, 0, 10), "yesterday"],
  ["43 hours ago, over two midnights", new Date(2026, 10, 20, 23, 50), "2 days ago"],
  ["six days and some hours", new Date(2026, 10, 29, 10, 0), "in 7 days"],
])("%s are named as a person counts days", (_, moment, words) => {
  expect(relativeTime(moment.getTime(), now)).toBe(words);
});

test("near moments are named by their distance", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const short = (moment: string) => shortInstant(Date.parse(moment), now, "Europe/Berlin");

  expect(short("2026-11-22T16:30:00Z")).toBe("today 5:30 PM");
  expect(short("2026-11-23T08:00:00Z")).toBe("tomorrow 9:00 AM");
  expect(short("2026-11-23T23:30:00Z")).toBe("Tue, Nov 24, 12:30 AM");
  expect(short("2027-01-04T08:00:00Z")).toBe("Mon, Jan 4, 2027, 9:00 AM");
});

test.each([
  ["en-US", "Nov 20, 2026, 10:07 PM", "Fri, Nov 20, 2026, 11:07 PM GMT+1", "tomorrow 10:07 PM", "Friday, Nov 20"],
  ["en-GB", "20 Nov 2026, 22:07", "Fri, 20 Nov 2026, 23:07 GMT+1", "tomorrow 22:07", "Friday 20 Nov"],
  ["de", "20. Nov. 2026, 22:07", "Fr., 20. Nov. 2026, 23:07 GMT+1", "tomorrow 22:07", "Freitag, 20. Nov."],
  ["en-US@posix", "Nov 20, 2026, 10:07 PM", "Fri, Nov 20, 2026, 11:07 PM GMT+1", "tomorrow 10:07 PM", "Friday, Nov 20"],
])("a browser in %s shows every date and time in its own style", (language, moment, instant, short, day) => {
  vi.spyOn(window.navigator, "languages", "get").mockReturnValue([language]);
  const local = new Date(2026, 10, 20, 22, 7).toISOString();
  const [now, utc] = [Date.parse("2026-11-19T12:00:00Z"), Date.parse("2026-11-20T22:07:00Z")];

  expect(formatMoment(local)).toBe(moment);
  expect(`${formatDay(local)}, ${formatTime(local)}`).toBe(moment);
  expect(formatInstant(utc, "Europe/Berlin")).toBe(instant);
  expect(shortInstant(utc, now, "UTC")).toBe(short);
  expect(dayName(local, new Date(2026, 10, 27).getTime())).toBe(day);
});

test.each(["he", "fa", "ur"])("a date in %s is isolated from the English words around it", (language) => {
  vi.spyOn(window.navigator, "languages", "get").mockReturnValue([language]);

  expect(formatDay("2026-11-20T12:00:00Z")).toMatch(/^\u2068[^\u2066-\u2069]+\u2069$/);
  expect(formatMoment("2026-11-20T12:00:00Z")).toMatch(/^\u2068[^\u2066-\u2069]+\u2069$/);
});
