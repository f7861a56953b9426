/** What the project view says when the project, or the session, is not there; and when its list of screens can't be changed. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, aScreen, languages } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { openSettings } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";
const PROJECT = `/api/projects/${ID}`;
const SCREENS = `${PROJECT}/screens`;

function answerProject(project: Partial<Project> = {}) {
  server.use(
    answer("get", PROJECT, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${ID}/:screen`, aScreen([])),
  );
}

test.each(["", "/general", "/home", "/colors"])(
  "without a session the address %s of a project says so and leads to the login page",
  async (tab) => {
    const { router } = open(`/projects/${ID}${tab}`);

    expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
    expect(await screen.findByText("Authentication error. Please log in again.")).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/login");
  },
);

test.each(["/projects", "/projects/create", "/dashboard"])(
  "without a session %s leads to the login page in silence",
  async (path) => {
    open(path);

    expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
    expect(screen.queryByText("Authentication error. Please log in again.")).not.toBeInTheDocument();
  },
);

test("a refused token of a project ends the session, and says so", async () => {
  localStorage.setItem("currentProjectView", "{}");
  server.use(refusal("get", PROJECT, 401, { message: "Session expired." }));
  const { router } = openSignedIn(`/projects/${ID}/home`);

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();

  expect(await screen.findByText("Session expired. Please log in again.")).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/login");
  for (const key of ["authToken", "user", "currentProjectView"]) expect(localStorage.getItem(key)).toBeNull();
});

test.each([
  ["refused without a message", answer("get", PROJECT, {}, { status: 500 }), "Failed to fetch project details."],
  [
    "refused with a message",
    refusal("get", PROJECT, 503, { message: "The database is away." }),
    "The database is away.",
  ],
  ["not answered", offline("get", PROJECT), "Error loading project."],
])("a project that is %s is told once, and can be tried again", async (_, failing, text) => {
  answerProject();
  server.use(failing);
  const { user } = openSignedIn(`/projects/${ID}/home`);

  expect(await screen.findByRole("heading", { level: 1, name: "Project data not loaded." })).toBeVisible();
  expect(screen.getAllByText(text)).toHaveLength(1);
  expect(screen.queryByRole("button", { name: /Publish Changes/ })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/projects");

  answerProject();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Travel / home");
  expect(screen.queryByText("Project data not loaded.")).not.toBeInTheDocument();
});

test.each([
  ["its usage", `${PROJECT}/usage`],
  ["its members", `${PROJECT}/members`],
])("who is taken out of the open project is led out of it as soon as %s is refused", async (_, path) => {
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
    predicate: ({ queryKey }) => `${queryKey.at(-1)}`.endsWith(path.split("/").at(-1) ?? ""),
  });

  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
  expect(screen.getAllByText("Project not found.")).toHaveLength(1);
  expect(reads).toBe(1);

  // Invited again, and nothing remembered stands in the way.
  answerProject();
  await router.navigate(`/projects/${ID}/general`);
  expect(await screen.findByRole("heading", { level: 1, name: /^Aurora Travel/ })).toBeVisible();
  expect(router.state.location.pathname).toBe(`/projects/${ID}/general`);
});

const newScreen = () => screen.findByRole("textbox", { name: "New screen name" });

test.each([
  ["no message", answer("post", SCREENS, {}, { status: 500 }), "Failed to update project screens"],
  ["no network", offline("post", SCREENS), "Error updating screens."],
])("a screen that can't be added: %s is told, the name stays, and a second try works", async (_, failing, text) => {
  answerProject();
  server.use(failing);
  const { user, router } = openSignedIn(`/projects/${ID}/general`);
  await user.type(await newScreen(), "checkout{Enter}");
  expect(await screen.findByText(text)).toBeVisible();
  expect(await newScreen()).toHaveValue("checkout");

  server.use(answer("post", SCREENS, aProject({ tabs: ["general", "home", "checkout"] }), { status: 201 }));
  await user.click(screen.getByRole("button", { name: "Add screen" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/checkout`));
  expect(await newScreen()).toHaveValue("");
});

test.each([
  ["no message", answer("delete", `${SCREENS}/home`, {}, { status: 500 }), "Failed to update project screens"],
  ["no network", offline("delete", `${SCREENS}/home`), "Error updating screens."],
  ["a message", refusal("delete", `${SCREENS}/home`, 409, { message: "It is in use." }), "It is in use."],
])("a screen that can't be deleted: %s is told, and the screen stays", async (_, failing, text) => {
  answerProject();
  server.use(failing);
  const { user, router } = openSignedIn(`/projects/${ID}/home`);
  await user.click(await screen.findByRole("button", { name: "Delete home" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete screen" }));

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "home" })).toBeInTheDocument();
  expect(router.state.location.pathname).toBe(`/projects/${ID}/home`);
});

test.each([
  ["none", "No Active Plan", "free", null],
  ["expired", "Expired Plan", "expired", "2026-01-01T00:00:00Z"],
  ["starter", "Starter Tier", "paid", "2026-01-01T00:00:00Z"],
])("on the tier %s without time left no screen can be added", async (activeTier, tierName, plan, expiresAt) => {
  answerProject({
    activeTier,
    tierName,
    plan,
    expiresAt,
    limits: { ...aProject().limits, screens: 0 },
  } as Partial<Project>);
  const { user } = openSignedIn(`/projects/${ID}/general`);

  await user.type(await newScreen(), "second{Enter}");

  const text = `Your project plan is "${tierName}". Please activate a paid tier to add new screens.`;
  expect(await screen.findByText(text)).toBeVisible();
});
