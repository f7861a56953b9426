/** The window events and the local-storage keys by which the parts of the dashboard, and tools beside it, know each other. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { heard } from "@/testing/browser";
import { aProject, aProjectSummary, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

const titleOf = () => screen.findByRole("heading", { level: 1 });

function openProject() {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject()),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/home`);
}

function fire(name: string, detail: unknown) {
  window.dispatchEvent(new CustomEvent(name, { detail }));
}

// spec: session-3, event-3
test("opening a project stores its id and name and announces it", async () => {
  const changes = heard("currentProjectChanged");
  openProject();

  expect(await titleOf()).toHaveTextContent("Aurora Travel / home");

  expect(JSON.parse(localStorage.getItem("currentProjectView") ?? "")).toEqual({
    id: PROJECT_ID,
    name: "Aurora Travel",
  });
  expect(changes).toEqual([{ id: PROJECT_ID }]);
});

// spec: shell-4
test("logging out from a project forgets which project was open", async () => {
  const { user } = openProject();
  await titleOf();
  server.use(answer("post", "/api/auth/logout", null, { status: 204 }));

  await user.click(screen.getByRole("link", { name: "Logout" }));

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  for (const key of ["authToken", "user", "currentProjectView"]) expect(localStorage.getItem(key)).toBeNull();
});

// spec: event-4
test("a project that was updated elsewhere is read again, in the frame and in the sidebar", async () => {
  openProject();
  await titleOf();
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ name: "Borealis", tabs: ["general", "home", "search"] })),
  );

  fire("projectUpdated", { projectId: PROJECT_ID });

  expect(await screen.findByRole("link", { name: "search" })).toBeVisible();
  expect(await titleOf()).toHaveTextContent("Borealis / home");
});

// spec: event-4
test("the update of a different project reads nothing again", async () => {
  openProject();
  await titleOf();
  const calls: string[] = [];
  const note = { onCall: (_: unknown, request: Request) => calls.push(new URL(request.url).pathname) };
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ name: "Borealis" }), note),
    answer("get", "/api/projects", [], note),
  );

  fire("projectUpdated", { projectId: "prj_other" });
  fire("projectUpdated", { projectId: PROJECT_ID });

  await waitFor(async () => expect(await titleOf()).toHaveTextContent("Borealis / home"));
  expect(calls).toEqual([`/api/projects/${PROJECT_ID}`]);
});

// spec: session-2
test("the user is kept for the next visit, and shown before the server has answered", async () => {
  localStorage.setItem("user", JSON.stringify(aUser({ name: "Mara Lindt" })));
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(answer("get", "/api/projects", [aProjectSummary()]), answer("get", "/api/activity", []));
  localStorage.setItem("authToken", "a-session-token");
  server.use(answer("get", "/api/user/me", aUser({ name: "Mara Lindt-Roth" }), { until }));
  open("/dashboard");

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Mara Lindt" })).toBeVisible();
  letGo();

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Mara Lindt-Roth" })).toBeVisible();
  expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({ name: "Mara Lindt-Roth" });
});
