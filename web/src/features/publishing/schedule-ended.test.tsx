/** A schedule ends while a person is asked whether to cancel it. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { invalidateProject } from "@/lib/query";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openDialog, SCHEDULES } from "@/testing/schedule-dialog";
import { aSchedule, dateField, pro } from "@/testing/schedules";
import { answer, server } from "@/testing/server";

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
