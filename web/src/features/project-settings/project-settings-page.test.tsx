import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aScreen, PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { openSettings, PROJECT } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";

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
