import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { announce } from "@/lib/window-events";
import { aProject, aScreen, aUser, PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { aMember, openSettings, serveWrites, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const PROJECT = `/api/projects/${PROJECT_ID}`;

// spec: psettings-1
test("the page has its sections in order, a way back, and its place in the project", async () => {
  const { router, user } = await openSettings();

  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Aurora Travel / Settings");
  const titles = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
  const sections = [
    "Usage and plan limits",
    "General information",
    "Languages",
    "Team members",
    "API access and secrets",
    "Danger zone",
  ];
  expect(titles.filter((title) => sections.includes(title ?? ""))).toEqual(sections);
  const tabs = screen.getByRole("navigation", { name: "Project" });
  expect(tabs).toHaveTextContent("Content - GeneralData StoresColoursImagesImport filesReleasesSettings");

  server.use(answer("get", `/api/translations/${PROJECT_ID}/general`, aScreen([])));
  await user.click(screen.getByRole("link", { name: "Back to Content - General" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`));
});

test("a section is reached by its link, and Tab goes on from there", async () => {
  const { user, router } = await openSettings();

  await user.click(screen.getByRole("link", { name: "Danger zone" }));

  expect(router.state.location.hash).toBe("#danger");
  expect(document.activeElement).toHaveAttribute("id", "danger");
  await user.tab();
  expect(screen.getByRole("region", { name: "Danger zone" })).toContainElement(document.activeElement as HTMLElement);
});

// spec: psettings-4
test.each([
  ["a message", refusal("get", PROJECT, 503, { message: "The database is away." }), "The database is away."],
  ["no message", answer("get", PROJECT, {}, { status: 500 }), "Failed to fetch project settings"],
  ["no network", offline("get", PROJECT), "Error fetching project data"],
])("settings that can't be read show an error (%s)", async (_, failing, text) => {
  server.use(failing);
  openSignedIn(`/projects/${PROJECT_ID}/settings`);

  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

// spec: psettings-3
test("a project that does not exist leads to the projects", async () => {
  server.use(
    refusal("get", PROJECT, 404, { message: "There is no such project." }),
    answer("get", "/api/projects", []),
  );
  const { router } = openSignedIn(`/projects/${PROJECT_ID}/settings`);

  expect(await screen.findByText("Project not found.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

// spec: psettings-2
test("without a session the page leads to the login", async () => {
  const { router } = open(`/projects/${PROJECT_ID}/settings`);

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/login");
});

/** The owner, who is signed in, and as many as there are seats. */
const team = [
  aMember("1", "Demo Person", "owner"),
  aMember("noor", "Noor Aziz", "admin"),
  aMember("lin", "Lin Wei", "editor"),
];

test("the plan's button opens the choice of plans", async () => {
  const { section, user } = await openSettings();

  await user.click(section("Usage and plan limits").getByRole("button", { name: "Renew or change plan" }));

  expect(await screen.findByRole("dialog")).toBeInTheDocument();
});

// spec: members-2, members-3
test("without a plan nobody can be invited, and the section offers a plan", async () => {
  const { user, section: part } = await openSettings({
    activeTier: "none",
    tierName: "No Active Plan",
    plan: "free",
    expiresAt: null,
    members: team.slice(0, 2),
    limits: { ...aProject().limits, seats: 1 },
  });
  const section = part("Team members");
  expect(await section.findByText("Activate a plan for this project to manage members.")).toBeVisible();
  expect(section.queryByRole("button", { name: "Invite member" })).not.toBeInTheDocument();

  await user.click(section.getByRole("button", { name: "Activate a plan" }));

  expect(await screen.findByRole("dialog", { name: "Activate a plan" })).toBeVisible();
});

test("the upgrade at the cap leads to the next plan with more seats", async () => {
  const plan = (id: string, name: string, seats: number, monthlyCreditCost: number) => ({
    id,
    name,
    tag: "",
    priceDisplay: "",
    features: [],
    monthlyCreditCost,
    limits: { ...aProject().limits, seats },
  });
  const plans = [
    plan("starter", "Starter Tier", 1, 19),
    plan("growth", "Growth Tier", 3, 49),
    plan("pro", "Pro Tier", 10, 149),
  ];
  const offer = answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans });
  const { user, section: part } = await openSettings({ members: team, seatsTaken: 3 }, aUser(), offer);
  const section = part("Team members");

  await user.click(await section.findByRole("button", { name: "Upgrade" }));

  expect(await screen.findByRole("dialog", { name: "Activate Pro Tier" })).toBeVisible();
  expect(screen.getByRole("radio", { name: /^Pro Tier/ })).toBeChecked();
});

async function openForm(project: Partial<Project> = {}) {
  const opened = await openSettings({ description: "A travel app.", revision: 3, ...project });
  await opened.user.click(opened.section("General information").getByRole("button", { name: "Edit" }));
  return { ...opened, form: within(await screen.findByRole("form", { name: "General information" })) };
}

// spec: general-1
test("name and description are changed with the revision that was seen; the frame follows", async () => {
  const { form, user, section } = await openForm();
  const got = serveWrites(aProject({ description: "A travel app.", revision: 3 }));
  const name = form.getByRole("textbox", { name: "Project name" });
  expect(name).toHaveFocus();

  await user.clear(name);
  await enter(user, name, "  Aurora Trains ");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got).toEqual([{ name: "Aurora Trains", revision: 3 }]);
  expect(section("General information").getByRole("button", { name: "Edit" })).toHaveFocus();
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Trains / Settings");
});

test("a change that arrives while a person types counts as unseen", async () => {
  const { form, user, queryClient } = await openForm();
  const theirs = aProject({ name: "Theirs", description: "A travel app.", revision: 5 });
  serveWrites(theirs);
  server.use(answer("get", PROJECT, theirs));
  await user.type(form.getByRole("textbox", { name: "Project name" }), "!");

  await queryClient.invalidateQueries();
  await within(screen.getByRole("heading", { level: 1 })).findByText("Theirs");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await form.findByText(/Noor Aziz changed this project while you were editing it\./)).toBeVisible();
});

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
