/** A person who is no longer a member of the open project. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { PROJECT_ID } from "@/testing/fixtures";
import { answerProject, PROJECT } from "@/testing/project-page";
import { openSettings } from "@/testing/project-settings";
import { answer, refusal, server } from "@/testing/server";

test.each([
  ["its usage", `${PROJECT}/usage`],
  ["its members", `${PROJECT}/members`],
])("a person who was removed from the open project is led out of it as soon as %s is refused", async (_, path) => {
  const gone = { message: "Project not found.", code: "project_not_found" };
  const member = (id: string, role: string) => ({
    user: { _id: id, name: id, email: `${id}@example.com` },
    role,
    status: "active",
    expiresAt: null,
    apiKeyLastUsedAt: null,
  });
  let reads = 0;
  const { router, queryClient } = await openSettings({
    members: [member("usr_0", "owner"), member("usr_1", "viewer")] as Project["members"],
  });
  server.use(
    answer(
      "get",
      PROJECT,
      { ...gone, fields: {} },
      {
        status: 404,
        onCall: () => {
          reads += 1;
        },
      },
    ),
    refusal("get", path, 404, gone),
  );
  // As the clock does for the usage, and looking at the window for the others.
  void queryClient.refetchQueries({
    predicate: ({ queryKey: [read] }) => `${read}`.endsWith(path.split("/").at(-1) ?? ""),
  });

  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
  expect(screen.getAllByText("Project not found.")).toHaveLength(1);
  expect(reads).toBe(1);

  // After a new invitation, nothing remembered prevents the visit.
  answerProject();
  await router.navigate(`/projects/${PROJECT_ID}/general`);
  expect(await screen.findByRole("heading", { level: 1, name: /^Aurora Travel/ })).toBeVisible();
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`);
});
