import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aScreen } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { ID, openSettings } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";

const PROJECT = `/api/projects/${ID}`;

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
  expect(tabs).toHaveTextContent("Content - GeneralData StoresColoursImagesReleasesSettings");

  server.use(answer("get", `/api/translations/${ID}/general`, aScreen([])));
  await user.click(screen.getByRole("link", { name: "Back to Content - General" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
});

test("a section is reached by its link, and Tab goes on from there", async () => {
  const { user, router } = await openSettings();

  await user.click(screen.getByRole("link", { name: "Danger zone" }));

  expect(router.state.location.hash).toBe("#danger");
  expect(document.activeElement).toHaveAttribute("id", "danger");
  await user.tab();
  expect(screen.getByRole("region", { name: "Danger zone" })).toContainElement(document.activeElement as HTMLElement);
});

test.each([
  ["a message", refusal("get", PROJECT, 503, { message: "The database is away." }), "The database is away."],
  ["no message", answer("get", PROJECT, {}, { status: 500 }), "Failed to fetch project settings"],
  ["no network", offline("get", PROJECT), "Error fetching project data"],
])("settings that can't be read say so (%s)", async (_, failing, text) => {
  server.use(failing);
  openSignedIn(`/projects/${ID}/settings`);

  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a project that is not there leads to the projects", async () => {
  server.use(
    refusal("get", PROJECT, 404, { message: "There is no such project." }),
    answer("get", "/api/projects", []),
  );
  const { router } = openSignedIn(`/projects/${ID}/settings`);

  expect(await screen.findByText("Project not found.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

test("without a session the page leads to the login", async () => {
  const { router } = open(`/projects/${ID}/settings`);

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/login");
});
