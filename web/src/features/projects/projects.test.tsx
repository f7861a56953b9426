import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderPart } from "@/testing/component";
import { aProjectSummary, aUser, languages } from "@/testing/fixtures";
import { answer, offline, refusal, server } from "@/testing/server";
import { ProjectsPage } from "./projects-page";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

const renderProjects = (me = aUser()) => renderPart(<ProjectsPage />, { at: "/projects", me });

// spec: list-9
test("an empty list explains the next step", async () => {
  server.use(answer("get", "/api/projects", []));
  renderProjects();

  expect(await screen.findByText("No projects found. Get started by creating one!")).toBeVisible();
  for (const link of screen.getAllByRole("link", { name: "Create Project" })) {
    expect(link).toHaveAttribute("href", "/projects/create");
  }
});

// spec: list-12
test("a failed list shows an error and can be loaded again", async () => {
  server.use(refusal("get", "/api/projects", 503, { message: "The database is away." }));
  const { user } = renderProjects();
  expect(await screen.findByText("Failed to fetch projects. Please try again later.")).toBeVisible();

  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Aurora Travel" })).toBeVisible();
});

// spec: list-8
test("an unverified user can't create projects and reads why", async () => {
  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  const { router, user } = renderProjects(aUser({ isVerified: false }));
  const create = await screen.findByRole("button", { name: "Create Project" });

  expect(create).toHaveAttribute("aria-disabled", "true");
  expect(create).toHaveAccessibleDescription("Please verify your email to create projects.");
  await user.click(create);
  expect(router.state.location.pathname).toBe("/projects");
});

test.each([
  ["an empty list", []],
  ["a list of projects", [aProjectSummary()]],
])("an unverified user reads why beside %s too, once", async (_, projects) => {
  server.use(answer("get", "/api/projects", projects));
  renderProjects(aUser({ isVerified: false }));

  expect(await screen.findByText("Please verify your email to create projects.")).toBeVisible();
});

test("a verified user reads no such notice", async () => {
  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  renderProjects();

  expect(await screen.findByRole("heading", { name: "Aurora Travel" })).toBeVisible();
  expect(screen.queryByText("Please verify your email to create projects.")).not.toBeInTheDocument();
});

// spec: list-12
test("without a network the list shows that it failed", async () => {
  server.use(offline("get", "/api/projects"));
  renderProjects();

  expect(await screen.findByText("Failed to fetch projects. Please try again later.")).toBeVisible();
});
