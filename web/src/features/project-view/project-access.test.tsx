/** Addresses of a project that lead elsewhere. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { openProject, PROJECT } from "@/testing/project-page";
import { answer, refusal, server } from "@/testing/server";

// spec: view-13
test.each(["", "/general", "/home", "/colors"])(
  "without a session the address %s of a project reports that and leads to the login page",
  async (tab) => {
    const { router } = open(`/projects/${PROJECT_ID}${tab}`);

    expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
    expect(await screen.findByText("Authentication error. Please log in again.")).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/login");
  },
);

// spec: view-13
test.each(["/projects", "/projects/create", "/dashboard"])(
  "without a session %s leads to the login page without a message",
  async (path) => {
    open(path);

    expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
    expect(screen.queryByText("Authentication error. Please log in again.")).not.toBeInTheDocument();
  },
);

// spec: session-5, view-14
test("a refused token of a project ends the session, and the login page shows that", async () => {
  localStorage.setItem("currentProjectView", "{}");
  server.use(refusal("get", PROJECT, 401, { message: "Session expired." }));
  const { router } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();

  expect(await screen.findByText("Session expired. Please log in again.")).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/login");
  for (const key of ["authToken", "user", "currentProjectView"]) expect(localStorage.getItem(key)).toBeNull();
});

// spec: view-15
test("a project that does not exist leads to the list", async () => {
  server.use(
    refusal("get", `/api/projects/${PROJECT_ID}`, 404, { message: "Project not found." }),
    answer("get", "/api/projects", []),
  );
  const { router } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByText("Project not found.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

// spec: view-3, text-1
test("an address without a screen shows that and leads back", async () => {
  openProject("/nowhere");

  expect(await screen.findByRole("heading", { name: "There is no screen “nowhere”" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Content - General" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/general`,
  );
});
