/** Moments that can't be scheduled, and schedules that fail. */
import { act, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDialog, SCHEDULES, TAKEN } from "@/testing/schedule-dialog";
import { aSchedule, dateField, dateOf, day, timeField, type } from "@/testing/schedules";
import { answer, offline, refusal, server } from "@/testing/server";

const spoken = (moment: Date) => new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(moment);

// spec: schedule-6, schedule-8
test.each([
  ["without a date", () => "", "10:00", () => "Please select both a date and a time for publishing."],
  ["without a time", () => dateOf(day(2)), "", () => "Please select both a date and a time for publishing."],
  ["over a year ahead", () => dateOf(day(367)), "23:59", () => "Choose a date within the next year."],
  ["for today", () => dateOf(day(0)), "23:59", () => `Scheduled date must be on or after ${spoken(day(1))}.`],
])("a schedule %s is not sent, and the dialog shows why", async (_, date, time, message) => {
  const { submit } = await openDialog();
  type(dateField(), date());
  type(timeField(), time);

  await submit();

  expect(await screen.findByRole("alert")).toHaveTextContent(message());
  type(dateField(), dateOf(day(4)));
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("a dialog that stayed open over midnight checks against the new day", async () => {
  const { submit } = await openDialog();
  vi.spyOn(Date, "now").mockReturnValue(day(1, 0).getTime());

  await submit();

  expect(await screen.findByRole("alert")).toHaveTextContent(/^Scheduled date must be on or after/);
});

// spec: schedule-9, schedule-13
test.each([
  [
    "the server's message",
    refusal("post", SCHEDULES, 422, {
      message: "Scheduled date and time must be in the future (based on your local time).",
    }),
    "Scheduled date and time must be in the future (based on your local time).",
  ],
  ["no message", answer("post", SCHEDULES, {}, { status: 500 }), "Failed to create schedule (status: 500)."],
  [
    "no answer",
    offline("post", SCHEDULES),
    "Failed to create schedule: the server can't be reached. Please try again.",
  ],
])("a failure with %s is shown, and a second try works", async (_, failing, message) => {
  const { submit } = await openDialog();
  server.use(failing);
  await submit();
  expect(await screen.findByRole("alert")).toHaveTextContent(message);

  server.use(answer("post", SCHEDULES, { message: "", schedule: aSchedule() }, { status: 201 }));
  await submit();

  expect(await screen.findByText("Publish scheduled successfully!")).toBeInTheDocument();
});

// spec: schedule-11
test("while a schedule is open no second schedule is sent, and a toast shows why for four seconds", async () => {
  const { submit } = await openDialog({}, [aSchedule()]);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());

  await submit();
  await screen.findByText(TAKEN);
  const begin = Date.now();
  const shownFor = () => Date.now() - begin;
  while (screen.queryByText(TAKEN) !== null && shownFor() < 10_000) {
    await act(() => vi.advanceTimersByTimeAsync(100));
  }

  // It is gone from the page a second later, after its fading.
  expect(Math.abs(shownFor() - 5_000)).toBeLessThanOrEqual(500);
});

// spec: schedule-10
test("a colleague's earlier schedule is reported in the same words, and shown", async () => {
  const { dialog, submit } = await openDialog();
  server.use(
    http.post(`*${SCHEDULES}`, () => {
      server.use(answer("get", SCHEDULES, [aSchedule({ by: "Noor Aziz" })]));
      return HttpResponse.json({ message: TAKEN, code: "already_scheduled" }, { status: 409 });
    }),
  );

  await submit();

  expect(await screen.findByText(TAKEN)).toBeInTheDocument();
  expect(await dialog.findByRole("region", { name: "Waiting" })).toHaveTextContent("by Noor Aziz");
});
