/** Leaving a project, and deleting it. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { announce } from "@/lib/window-events";
import { PROJECT_ID } from "@/testing/fixtures";
import { openSettings, PROJECT, team, VIEWER } from "@/testing/project-settings";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

/** Asks to delete the project. */
async function openDelete() {
  const opened = await openSettings({ members: team });
  server.use(answer("get", `${PROJECT}/losses`, {}, { status: 500 }));
  await opened.user.click(opened.section("Danger zone").getByRole("button", { name: "Delete Project" }));
  return { ...opened, dialog: within(await screen.findByRole("dialog", { name: "Delete Aurora Travel?" })) };
}

test("a person who leaves a project reads only that, also when a live event is faster than the answer", async () => {
  const { user, router, section } = await openSettings(VIEWER);
  server.use(
    answer(
      "delete",
      `${PROJECT}/members/:userId`,
      { members: [] },
      {
        afterMs: 100,
        onCall: () => {
          server.use(refusal("get", PROJECT, 404, { message: "Project not found." }));
          announce("projectUpdated", { projectId: PROJECT_ID });
        },
      },
    ),
  );

  await user.click(section("Danger zone").getByRole("button", { name: "Leave project" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Leave Aurora Travel?" }));
  await user.click(dialog.getByRole("button", { name: "Leave project" }));

  expect(await screen.findByText("You left Aurora Travel.")).toBeInTheDocument();
  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
  expect(screen.queryByText("Project not found.")).not.toBeInTheDocument();
});

// spec: danger-2
test("a project is deleted only by typing its name, and leaves to the projects", async () => {
  let calls = 0;
  const { dialog, user, router } = await openDelete();
  server.use(
    answer(
      "delete",
      PROJECT,
      { message: "The project was deleted." },
      {
        // A live event is faster than the answer.
        afterMs: 100,
        onCall: () => {
          calls += 1;
          server.use(refusal("get", PROJECT, 404, { message: "Project not found." }));
          announce("projectUpdated", { projectId: PROJECT_ID });
        },
      },
    ),
  );
  const field = dialog.getByRole("textbox", { name: "Project name" });
  expect(field).toHaveFocus();

  await user.type(field, "aurora{Enter}");
  expect(await dialog.findByText("Type Aurora Travel to go on.")).toBeVisible();
  expect(calls).toBe(0);
  await user.clear(field);
  await enter(user, field, "Aurora Travel");
  await user.click(dialog.getByRole("button", { name: "Delete Project" }));

  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
  expect(await screen.findByText("The project was deleted.")).toBeInTheDocument();
  expect(screen.queryByText("Project not found.")).not.toBeInTheDocument();
  expect(localStorage.getItem("currentProjectView")).toBeNull();
});
