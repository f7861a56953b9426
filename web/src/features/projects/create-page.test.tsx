import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aProject, aProjectSummary, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

// spec: create-7
test("creating a project sends name, description and language, and opens it", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer("get", "/api/projects", []),
    answer("get", "/api/projects/:id", aProject({ projectId: "prj_new", name: "Aurora" })),
    answer("post", "/api/projects", aProject({ projectId: "prj_new", name: "Aurora" }), {
      status: 201,
      onCall: (body) => bodies.push(body),
    }),
  );
  const { user, router } = openSignedIn("/projects/create");
  await enter(user, await screen.findByLabelText("Project Name"), "  Aurora ");
  await user.type(screen.getByLabelText("Project Description"), "Trips");
  await user.click(screen.getByRole("combobox", { name: "Default language" }));
  await user.click(await screen.findByRole("option", { name: "German (Deutsch)" }));

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  await expect.poll(() => router.state.location.pathname).toMatch(/^\/projects\/prj_new/);
  expect(bodies).toEqual([{ name: "Aurora", description: "Trips", defaultLanguage: "de" }]);
});

// spec: create-3
test("'Back to Projects' goes one step back, and to the list when there is nothing behind", async () => {
  server.use(answer("get", "/api/projects", [aProjectSummary()]), answer("get", "/api/activity", []));
  const { user, router } = openSignedIn("/dashboard");
  await user.click(await screen.findByRole("link", { name: "Create New Project" }));
  const back = () => screen.findByRole("button", { name: "Back to Projects" });

  // What the router of a browser keeps beside each page: how many are behind it.
  window.history.replaceState({ idx: 1 }, "");
  await user.click(await back());
  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));

  await act(() => router.navigate("/projects/create"));
  window.history.replaceState({ idx: 0 }, "");
  await user.click(await back());
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});
