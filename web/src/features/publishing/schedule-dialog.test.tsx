import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { useState } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { useProject } from "@/lib/project";
import { invalidateProject } from "@/lib/query";
import { renderInProject } from "@/testing/component";
import { aDiff, aProject, aScreen, NO_LOSSES, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { DIFF } from "@/testing/review";
import {
  aSchedule,
  dateField,
  dateOf,
  day,
  pro,
  type Schedule,
  scheduleButton,
  timeField,
  type,
  zone,
} from "@/testing/schedules";
import { answer, offline, refusal, server } from "@/testing/server";
import { ScheduleButton, ScheduleChip } from "./schedule-button";
import { ScheduleDialog } from "./schedule-dialog";

const SCHEDULES = `/api/schedule/project/${PROJECT_ID}`;

const ONE = "/api/schedule/sch_1";

const TAKEN = "A publish is already scheduled. Please cancel it before scheduling a new one.";

/** The button, the chip and the dialog, as they are in the project's header. */
function Scheduling({ project }: { project: Project }) {
  const { openActivation } = useProject();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ScheduleChip project={project} onOpen={() => setOpen(true)} />
      <ScheduleButton project={project} onOpen={() => setOpen(true)} />
      <ScheduleDialog project={project} opened={isOpen} onClose={() => setOpen(false)} onActivate={openActivation} />
    </>
  );
}

function openProject(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const [waiting] = schedules.filter(({ status }) => status === "pending");
  server.use(answer("get", SCHEDULES, schedules), answer("get", DIFF, aDiff()));
  return renderInProject(
    (shown) => <Scheduling project={shown} />,
    { ...pro, scheduledFor: waiting?.publishAt ?? null, ...project },
    { isFading },
  );
}

async function openDialog(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const opened = openProject(project, schedules, isFading);
  await opened.user.click(await scheduleButton());
  const found = await screen.findByRole("dialog", { name: "Manage Scheduled Publishes" });
  await waitFor(() => expect(within(found).queryByRole("status", { name: /^Loading/ })).not.toBeInTheDocument());
  const dialog = within(found);
  return {
    ...opened,
    dialog,
    submit: () => opened.user.click(dialog.getByRole("button", { name: "Schedule Publish" })),
  };
}

const spoken = (moment: Date) => new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(moment);

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

// spec: schedule-5, schedule-15, schedule-16
test("the open schedule is shown in local time and in UTC, and cancelled after a question", async () => {
  const waiting = aSchedule();
  const { user, dialog } = await openDialog({}, [waiting]);
  server.use(
    answer(
      "delete",
      ONE,
      { message: "Scheduled publish cancelled." },
      {
        onCall: () =>
          server.use(
            answer("get", SCHEDULES, [aSchedule({ status: "cancelled", endedAt: "2026-11-22T10:00:00Z" })]),
            answer("get", `/api/projects/${PROJECT_ID}`, aProject(pro)),
          ),
      },
    ),
  );
  const region = dialog.getByRole("region", { name: "Waiting" });
  expect(region).toHaveTextContent("9:00 AM");
  expect(region).toHaveTextContent(`(${zone})`);
  expect(region).toHaveTextContent(`UTC: ${waiting.publishAt} · by`);
  // By itself, so that a narrow screen does not break it.
  expect(within(region).getByText(waiting.publishAt)).toBeVisible();
  expect(region).toHaveTextContent("by Mara Lindt");

  await user.click(within(region).getByRole("button", { name: "Cancel" }));
  const question = await screen.findByRole("dialog", { name: "Cancel this scheduled publish?" });
  expect(question).toHaveTextContent("The changes stay in the draft.");
  await user.click(within(question).getByRole("button", { name: "Cancel publish" }));

  expect(await screen.findByText("Scheduled publish cancelled.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("region", { name: "Waiting" })).not.toBeInTheDocument());
  expect(dialog.getByRole("region", { name: "Earlier" })).toHaveTextContent("Cancelled");
  expect(screen.queryByRole("button", { name: /^Publishes / })).not.toBeInTheDocument();
});

// spec: schedule-15
test("'Keep it' keeps the schedule", async () => {
  const { user, dialog } = await openDialog({}, [aSchedule()]);

  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Keep it" }));

  await waitFor(() => expect(screen.queryByRole("dialog", { name: /^Cancel/ })).not.toBeInTheDocument());
  expect(dialog.getByRole("region", { name: "Waiting" })).toBeVisible();
});

// spec: schedule-17, schedule-18
test.each([
  ["no message", answer("delete", ONE, {}, { status: 500 }), "Failed to cancel scheduled publish."],
  [
    "its reason",
    refusal("delete", ONE, 409, { message: "This publish has already taken place." }),
    "This publish has already taken place.",
  ],
])("a cancel that fails with %s is reported", async (_, failing, message) => {
  const { user, dialog } = await openDialog({}, [aSchedule()]);
  server.use(failing);

  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Cancel publish" }));

  expect(await screen.findByText(message)).toBeInTheDocument();
});

test.each([
  ["has happened", aSchedule({ status: "published", release: 2 }), "This publish has already taken place."],
  ["failed", aSchedule({ status: "failed", reason: "" }), "This publish failed already."],
  ["was cancelled", aSchedule({ status: "cancelled" }), "This publish was cancelled already."],
])("the question about a publish that %s closes, and a toast shows why", async (_, ended, message) => {
  const { user, dialog, queryClient } = await openDialog({}, [aSchedule()]);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  const question = await screen.findByRole("dialog", { name: "Cancel this scheduled publish?" });
  expect(question).toHaveTextContent(/Nothing is published on/);

  server.use(answer("get", SCHEDULES, [ended]));
  await invalidateProject(queryClient, PROJECT_ID);

  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(screen.queryByRole("dialog", { name: /^Cancel/ })).not.toBeInTheDocument();
  await waitFor(() => expect(dateField()).toHaveFocus());
});

test.each([
  ["the form has the focus", {}, () => dateField()],
  ["the dialog has the focus if the plan has ended too", { hasScheduling: false }, () => screen.getByRole("dialog")],
])("after the question about a publish that has happened has closed, %s", async (_, project, focused) => {
  const { user, dialog, queryClient } = await openDialog({}, [aSchedule()], true);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  const question = await screen.findByRole("dialog", { name: "Cancel this scheduled publish?" });
  await waitFor(() => expect(question).toContainElement(document.activeElement as HTMLElement));

  server.use(
    answer("get", SCHEDULES, [aSchedule({ status: "published", release: 2 })]),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, ...project })),
  );
  await invalidateProject(queryClient, PROJECT_ID);

  await waitFor(() => expect(question).not.toBeInTheDocument());
  await waitFor(() => expect(focused()).toHaveFocus());
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

// spec: schedule-25, schedule-26
test("earlier schedules show their outcome briefly", async () => {
  const ended = (id: string, values: Partial<Schedule>) =>
    aSchedule({ _id: id, endedAt: "2026-11-19T10:00:00Z", publishAt: "2026-11-19T08:00:00Z", ...values });
  const { user, dialog } = await openDialog({}, [
    ended("sch_2", { status: "failed", reason: "The project had no active plan at that time." }),
    ended("sch_3", { status: "published", release: 12, late: true }),
    ended("sch_4", { status: "published" }),
    ended("sch_5", { status: "cancelled" }),
  ]);
  const rows = () => within(dialog.getByRole("region", { name: "Earlier" })).getAllByRole("listitem");

  expect(rows()).toHaveLength(3);
  await user.click(dialog.getByRole("button", { name: "Show all 4" }));

  const [failed, late, empty, cancelled] = rows();
  expect(failed).toHaveTextContent(/Failed.*The project had no active plan at that time. Scheduled by Mara Lindt./);
  expect(late).toHaveTextContent(/PublishedLate.*Release 12, at .*: the server was away or busy at its time./);
  expect(empty).toHaveTextContent(/Published.*There was nothing new./);
  expect(cancelled).toHaveTextContent("Cancelled");
});

test("after a cancel a person can schedule again at once, before the list is read again", async () => {
  const sent: unknown[] = [];
  const { user, dialog } = await openDialog({}, [aSchedule()]);
  const made = aSchedule({ _id: "sch_2" });
  server.use(
    answer("delete", ONE, { message: "Scheduled publish cancelled." }),
    answer("get", SCHEDULES, [], { afterMs: "infinite" }),
    answer("post", SCHEDULES, { message: "", schedule: made }, { status: 201, onCall: (body) => sent.push(body) }),
  );
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Cancel publish" }));
  await screen.findByText("Scheduled publish cancelled.");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: /^Cancel/ })).not.toBeInTheDocument());
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(await scheduleButton());
  const again = within(await screen.findByRole("dialog", { name: "Manage Scheduled Publishes" }));
  expect(again.queryByRole("region", { name: "Waiting" })).not.toBeInTheDocument();
  await user.click(await again.findByRole("button", { name: "Schedule Publish" }));

  expect(await screen.findByText("Publish scheduled successfully!")).toBeInTheDocument();
  expect(screen.queryByText(TAKEN)).not.toBeInTheDocument();
  expect(sent).toHaveLength(1);
});

test("after a cancel the form has the focus, since the button that asked for it is gone", async () => {
  const { user, dialog } = await openDialog({}, [aSchedule()]);
  server.use(answer("delete", "/api/schedule/:id", { message: "" }), answer("get", SCHEDULES, []));

  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Cancel publish" }));

  await waitFor(() => expect(dateField()).toHaveFocus());
});

test("in the last minute the chip and the dialog show that, and not that the publish happened", async () => {
  const { dialog } = await openDialog({}, [aSchedule({ publishAt: new Date(Date.now() + 40_000).toISOString() })]);

  expect(screen.getByLabelText(/^Publishes in less than a minute/)).toBeInTheDocument();
  expect(dialog.getByRole("region", { name: "Waiting" })).toHaveTextContent(/in less than a minute · UTC:/);
});

test("a due schedule shows 'now' as its time, not 'just now'", async () => {
  const { dialog } = await openDialog({}, [aSchedule({ publishAt: new Date(Date.now() - 100).toISOString() })]);

  expect(dialog.getByRole("region", { name: "Waiting" })).toHaveTextContent(/now · UTC:/);
  expect(dialog.getByRole("region", { name: "Waiting" })).not.toHaveTextContent("just now");
});

// spec: schedule-14
test("a list that can't be loaded shows an error and can be loaded again", async () => {
  const { user } = openProject();
  server.use(answer("get", SCHEDULES, {}, { status: 500 }));
  await user.click(await scheduleButton());
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("Failed to fetch scheduled publishes.")).toBeVisible();

  server.use(answer("get", SCHEDULES, []));
  await user.click(dialog.getByRole("button", { name: "Try again" }));

  expect(await screen.findByLabelText("Publish date")).toBeVisible();
});

test("a person who may not assign credits reads who may", async () => {
  const { dialog } = await openDialog({
    hasScheduling: false,
    activeTier: "growth",
    tierName: "Growth Tier",
    role: "editor",
    permissions: ["read", "edit", "publish"],
  });

  expect(dialog.getByText(/Only admins and the owner can activate a plan\./)).toBeVisible();
  expect(dialog.queryByRole("button", { name: "See the Pro Tier" })).not.toBeInTheDocument();
});

// spec: schedule-29
test("a viewer sees the open schedule, and neither schedules nor cancels", async () => {
  const { user, dialog } = await openDialog({ role: "viewer", permissions: ["read"] }, [aSchedule()]);

  const cancel = dialog.getByRole("button", { name: "Cancel" });
  expect(cancel).toHaveAccessibleDescription(
    "Viewers can't publish. Ask an admin of this project for the editor role.",
  );
  await user.click(cancel);

  expect(screen.queryByRole("dialog", { name: /^Cancel/ })).not.toBeInTheDocument();
  expect(screen.queryByLabelText("Publish date")).not.toBeInTheDocument();
});

// spec: schedule-26
test("the header shows that the last schedule failed, and leads to the reason", async () => {
  const failed = aSchedule({ publishAt: day(-2).toISOString(), status: "failed", reason: "There was no plan." });
  const { user } = openProject({ scheduleFailed: failed.publishAt }, [failed]);

  const chip = await screen.findByRole("button", { name: /^The publish scheduled for .* 9:00 AM failed\. See why$/ });
  expect(chip).toHaveTextContent("Publish failed");
  await user.click(chip);

  expect(await screen.findByText("There was no plan. Scheduled by Mara Lindt.")).toBeVisible();
});

test("the header and the dialog show that a schedule will not publish, as soon as that is known", async () => {
  const { user } = openProject(
    {
      hasScheduling: false,
      tierName: "Growth Tier",
      scheduleObstacle: "The project's plan has no scheduled publishing.",
    },
    [aSchedule()],
  );

  const words = "Will not publish: the project's plan has no scheduled publishing.";
  const chip = await screen.findByRole("button", { name: `${words} Scheduled for tomorrow 9:00 AM (${zone})` });
  expect(chip).toHaveTextContent("Will not publish");
  expect(screen.queryByRole("button", { name: /^Publishes / })).not.toBeInTheDocument();
  await user.click(chip);

  const waiting = within(await screen.findByRole("region", { name: "Waiting" }));
  expect(waiting.getByText(words)).toBeVisible();
  expect(waiting.getByRole("button", { name: "Cancel" })).toBeVisible();
});

test("a schedule after the end of the plan shows at once that it will not publish", async () => {
  const { user, dialog } = await openDialog();
  const made = aSchedule();
  const scheduleObstacle = "The project's plan ends before that.";
  server.use(
    answer("post", SCHEDULES, { message: "", schedule: made }, { status: 201 }),
    answer("get", SCHEDULES, [made]),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, scheduledFor: made.publishAt, scheduleObstacle })),
  );
  await user.click(dialog.getByRole("button", { name: "Schedule Publish" }));

  const chip = await screen.findByRole("button", { name: /^Will not publish: the project's plan ends before that\./ });
  expect(chip).toBeVisible();
});

test("with a new schedule the header shows its time, and not the failure of the former schedule", async () => {
  const { user, dialog } = await openDialog({ scheduleFailed: day(-1).toISOString() });
  const made = aSchedule();
  server.use(
    answer("post", SCHEDULES, { message: "", schedule: made }, { status: 201 }),
    answer("get", SCHEDULES, [made]),
  );
  await user.click(dialog.getByRole("button", { name: "Schedule Publish" }));

  expect(await screen.findByRole("button", { name: /^Publishes / })).toBeVisible();
  // The header is drawn after the page.
  await waitFor(() => expect(screen.queryByText("Publish failed")).not.toBeInTheDocument());
});
