/** A project that can't be read. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answerProject, PROJECT } from "@/testing/project-page";
import { answer, offline, refusal, server } from "@/testing/server";

// spec: view-16, view-17, view-18
test.each([
  ["refused without a message", answer("get", PROJECT, {}, { status: 500 }), "Failed to fetch project details."],
  [
    "refused with a message",
    refusal("get", PROJECT, 503, { message: "The database is away." }),
    "The database is away.",
  ],
  ["not answered", offline("get", PROJECT), "Error loading project."],
])("a project that is %s is reported once, and can be loaded again", async (_, failing, text) => {
  answerProject();
  server.use(failing);
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByRole("heading", { level: 1, name: "Project data not loaded." })).toBeVisible();
  expect(screen.getAllByText(text)).toHaveLength(1);
  expect(screen.queryByRole("button", { name: /Publish Changes/ })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/projects");

  answerProject();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Travel / home");
  expect(screen.queryByText("Project data not loaded.")).not.toBeInTheDocument();
});
