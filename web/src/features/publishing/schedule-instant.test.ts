import { describe, expect, test } from "vitest";
import { formatInstant } from "@/lib/time";
import { meant, problemOf, tomorrow } from "./schedule-instant";

const utc = (instants: readonly number[]) => instants.map((instant) => new Date(instant).toISOString());

describe("a date and a time on the clock of a zone mean a moment", () => {
  test.each([
    ["Europe/Berlin", "2026-11-23", "09:00", ["2026-11-23T08:00:00.000Z"]],
    ["Europe/Berlin", "2027-07-01", "09:00", ["2027-07-01T07:00:00.000Z"]],
    ["Asia/Kathmandu", "2026-11-23", "09:00", ["2026-11-23T03:15:00.000Z"]],
    ["Pacific/Kiritimati", "2026-11-24", "09:00", ["2026-11-23T19:00:00.000Z"]],
    ["Pacific/Honolulu", "2026-11-23", "23:30", ["2026-11-24T09:30:00.000Z"]],
    ["UTC", "2028-02-29", "00:00", ["2028-02-29T00:00:00.000Z"]],
    // Hours around a change, on the day of the change.
    ["America/New_York", "2027-03-14", "01:59", ["2027-03-14T06:59:00.000Z"]],
    ["America/New_York", "2027-03-14", "03:00", ["2027-03-14T07:00:00.000Z"]],
  ])("in %s, %s %s is a single moment", (zone, date, time, instants) => {
    expect(utc(meant(date, time, zone).instants)).toEqual(instants);
    expect(meant(date, time, zone).isSkipped).toBe(false);
  });

  // spec: schedule-28
  test.each([
    ["America/New_York", "2027-03-14", "02:30", "2027-03-14T07:30:00.000Z", "3:30 AM"],
    ["Europe/Berlin", "2027-03-28", "02:30", "2027-03-28T01:30:00.000Z", "3:30 AM"],
    ["Australia/Lord_Howe", "2027-10-03", "02:15", "2027-10-02T15:45:00.000Z", "2:45 AM"],
  ])("%s skips %s %s: the time after it counts", (zone, date, time, instant, shown) => {
    const found = meant(date, time, zone);

    expect(found.isSkipped).toBe(true);
    expect(utc(found.instants)).toEqual([instant]);
    expect(formatInstant(found.instants[0] ?? 0, zone)).toContain(shown);
  });

  // spec: schedule-28
  test.each([
    ["America/New_York", "2026-11-01", "01:30", ["2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"]],
    ["Europe/Berlin", "2026-10-25", "02:30", ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]],
    ["Australia/Lord_Howe", "2027-04-04", "01:45", ["2027-04-03T14:45:00.000Z", "2027-04-03T15:15:00.000Z"]],
  ])("%s has %s %s twice: both moments count", (zone, date, time, instants) => {
    const found = meant(date, time, zone);

    expect(found.isSkipped).toBe(false);
    expect(utc(found.instants)).toEqual(instants);
    expect(new Set(found.instants.map((instant) => formatInstant(instant, zone))).size).toBe(2);
  });

  test.each([
    ["", "09:00"],
    ["2027-02-30", "09:00"],
    ["2027-13-01", "09:00"],
    ["2027-03-01", "24:00"],
    ["2027-03-01", "9:00"],
    ["soon", "09:00"],
  ])("'%s' and '%s' are no moment", (date, time) => {
    expect(meant(date, time, "Europe/Berlin").instants).toEqual([]);
  });
});

describe("tomorrow is the next day in the zone of the person", () => {
  // spec: schedule-8
  test.each([
    ["Pacific/Kiritimati", "2026-11-22T18:00:00Z", "2026-11-24"],
    ["Pacific/Honolulu", "2026-11-23T06:00:00Z", "2026-11-23"],
    ["Europe/Berlin", "2026-12-31T12:00:00Z", "2027-01-01"],
    ["America/New_York", "2026-11-01T05:30:00Z", "2026-11-02"],
  ])("in %s at %s tomorrow is %s, and nine o'clock can be scheduled", (zone, now, day) => {
    const moment = Date.parse(now);

    expect(tomorrow(moment, zone)).toBe(day);
    expect(problemOf(day, "09:00", meant(day, "09:00", zone).instants[0], moment, zone)).toBeNull();
  });
});

// spec: schedule-6, schedule-7, schedule-9
test("the problems of a schedule are reported in order", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const problem = (date: string, time: string, at = now) =>
    problemOf(date, time, meant(date, time, "Europe/Berlin").instants[0], at, "Europe/Berlin");

  expect(problem("", "09:00")).toBe("Please select both a date and a time for publishing.");
  expect(problem("2026-11-23", "")).toBe("Please select both a date and a time for publishing.");
  expect(problem("2026-02-30", "09:00")).toBe("Invalid date or time selected.");
  expect(problem("2026-11-22", "23:00")).toBe("Scheduled date must be on or after Nov 23, 2026.");
  expect(problemOf("2026-11-23", "00:30", now - 1, now, "Europe/Berlin")).toBe(
    "Scheduled date and time must be in the future (based on your local time).",
  );
  expect(problem("2026-11-23", "09:00")).toBeNull();
  // 366 days to the millisecond, as the server counts: noon in UTC.
  expect(problem("2027-11-23", "13:00")).toBeNull();
  expect(problem("2027-11-23", "13:01")).toBe("Choose a date within the next year.");
});
