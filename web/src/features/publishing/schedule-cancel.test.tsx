/** Cancelling a scheduled publish. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openDialog, SCHEDULES, TAKEN } from "@/testing/schedule-dialog";
import { aSchedule, dateField, pro, scheduleButton, zone } from "@/testing/schedules";
import { answer, refusal, server } from "@/testing/server";

const ONE = "/api/schedule/sch_1";

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
