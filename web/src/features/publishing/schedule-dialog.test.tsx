/** Choosing the moment of a publish. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { aDiff, aScreen, NO_LOSSES, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { DIFF } from "@/testing/review";
import { openDialog, openProject, SCHEDULES } from "@/testing/schedule-dialog";
import { aSchedule, dateField, dateOf, day, scheduleButton, timeField, type } from "@/testing/schedules";
import { answer, server } from "@/testing/server";

/** The browser is in New York, and it is this day there. */
function inNewYork(now: string) {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({
    ...options,
    timeZone: "America/New_York",
  });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
  onTestFinished(() => void vi.useRealTimers());
}

const newYorkTime = () => screen.getByLabelText("Publish time (America/New_York)");

test("the chosen moment is kept on the device until it is scheduled", async () => {
  const first = await openDialog();
  type(dateField(), dateOf(day(3)));
  type(timeField(), "11:30");
  first.unmount();

  const { user, submit } = await openDialog();
  await user.click(await findOfferOfText());
  expect(dateField()).toHaveValue(dateOf(day(3)));
  expect(timeField()).toHaveValue("11:30");
  server.use(
    answer("post", SCHEDULES, { message: "Publish scheduled successfully!", schedule: aSchedule() }, { status: 201 }),
  );
  await submit();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(await scheduleButton());
  expect(await screen.findByRole("dialog")).toBeVisible();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("Enter in a field schedules a draft that takes nothing from apps, and does not schedule a draft that does", async () => {
  const sent: unknown[] = [];
  const { user, dialog, unmount } = await openDialog();
  const taken = answer(
    "post",
    SCHEDULES,
    { message: "", schedule: aSchedule() },
    { onCall: (body) => sent.push(body) },
  );
  server.use(taken);
  await waitFor(() =>
    expect(dialog.getByRole("button", { name: "Schedule Publish" })).toHaveAttribute("type", "submit"),
  );
  expect(dialog.queryByText(/apps lose/)).not.toBeInTheDocument();
  await user.type(timeField(), "{Enter}");
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  unmount();

  const again = openProject();
  server.use(taken, answer("get", DIFF, aDiff({ total: 1, losses: { ...NO_LOSSES, screens: ["promo"], texts: 11 } })));
  await again.user.click(await scheduleButton());
  expect(await screen.findByText("With the draft as it is now, apps lose 11 texts.")).toBeVisible();
  await again.user.type(timeField(), "{Enter}");
  await again.user.type(dateField(), "{Enter}");
  expect(sent).toHaveLength(1);
  await again.user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Schedule Publish" }));
  await waitFor(() => expect(sent).toHaveLength(2));
});

// spec: schedule-28
test("a time that the clock skips counts as the time after it, and the dialog explains that", async () => {
  inNewYork("2027-03-10T12:00:00Z");
  await openDialog();

  type(dateField(), "2027-03-14");
  type(newYorkTime(), "02:30");

  expect(
    screen.getByText(/02:30 does not exist on that day: clocks go forward. The publish happens at .*3:30 AM/),
  ).toBeVisible();
  expect(screen.getByText("2027-03-14T07:30:00.000Z")).toBeVisible();
});

// spec: schedule-28
test("the person chooses between the two moments of a repeated time, and the chosen moment is sent", async () => {
  inNewYork("2026-10-30T12:00:00Z");
  const sent: unknown[] = [];
  const { user, submit } = await openDialog();
  server.use(
    answer(
      "post",
      SCHEDULES,
      { message: "", schedule: aSchedule() },
      { status: 201, onCall: (body) => sent.push(body) },
    ),
  );
  type(dateField(), "2026-11-01");
  type(newYorkTime(), "01:30");
  expect(screen.getByText("2026-11-01T05:30:00.000Z")).toBeVisible();

  await user.click(screen.getByRole("radio", { name: /^The second: .*1:30 AM.*-5/ }));
  expect(screen.getByText("2026-11-01T06:30:00.000Z")).toBeVisible();
  await submit();

  await waitFor(() => expect(sent).toEqual([{ publishAtString: "2026-11-01T06:30:00.000Z" }]));
});

test("the date has the focus, also where the list arrives after the dialog", async () => {
  const { user } = openProject();
  server.use(answer("get", SCHEDULES, [], { afterMs: 60 }));

  await user.click(await scheduleButton());

  await waitFor(() => expect(dateField()).toHaveFocus());
  await user.keyboard("{Escape}");
  await waitFor(async () => expect(await scheduleButton()).toHaveFocus());
  await user.click(await scheduleButton());
  await waitFor(() => expect(dateField()).toHaveFocus());
  await user.keyboard("{Escape}");
  await waitFor(async () => expect(await scheduleButton()).toHaveFocus());
});

test("the Back button closes the dialog", async () => {
  const { user, router } = openProject();
  server.use(answer("get", `/api/translations/${PROJECT_ID}/cart`, aScreen([])));
  await scheduleButton();
  await act(() => router.navigate(`/projects/${PROJECT_ID}/cart`));
  await user.click(await scheduleButton());
  await screen.findByRole("dialog", { name: "Manage Scheduled Publishes" });

  await act(() => router.navigate(-1));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});
