/** What the dialog and the header show of scheduled publishes. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openDialog, openProject, SCHEDULES } from "@/testing/schedule-dialog";
import { aSchedule, day, pro, type Schedule, scheduleButton, zone } from "@/testing/schedules";
import { answer, server } from "@/testing/server";

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
