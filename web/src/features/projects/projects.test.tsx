import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aProject, aProjectSummary, aUser, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

test("each project has a card with its state, id, date and a link", async () => {
  server.use(
    answer("get", "/api/projects", [
      aProjectSummary(),
      aProjectSummary({ projectId: "prj_2", name: "Borealis", isPublished: false }),
    ]),
  );
  openSignedIn("/projects");

  const [first, second] = await screen.findAllByRole("listitem");
  if (first === undefined || second === undefined) throw new Error("two cards expected");
  expect(within(first).getByRole("heading", { name: "Aurora Travel" })).toBeVisible();
  expect(within(first).getByText("Published")).toBeVisible();
  expect(within(first).getByText("prj_k7m2xq4tz8ha3b5c")).toBeVisible();
  expect(within(first).getByText("Nov 19, 2026")).toBeVisible();
  expect(within(first).getByRole("link", { name: /^View Project/ })).toHaveAttribute(
    "href",
    "/projects/prj_k7m2xq4tz8ha3b5c/general",
  );
  expect(within(second).getByText("Draft")).toBeVisible();
});

test("an empty list teaches the next step", async () => {
  server.use(answer("get", "/api/projects", []));
  openSignedIn("/projects");

  expect(await screen.findByText("No projects found. Get started by creating one!")).toBeVisible();
  for (const link of screen.getAllByRole("link", { name: "Create Project" })) {
    expect(link).toHaveAttribute("href", "/projects/create");
  }
});

test("a failed list says so and can be tried again", async () => {
  server.use(refusal("get", "/api/projects", 503, { message: "The database is away." }));
  const { user } = openSignedIn("/projects");
  expect(await screen.findByText("Failed to fetch projects. Please try again later.")).toBeVisible();

  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Aurora Travel" })).toBeVisible();
});

test("an unverified user can't create projects and reads why", async () => {
  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  const { router, user } = openSignedIn("/projects", aUser({ isVerified: false }));
  const create = await screen.findByRole("button", { name: "Create Project" });

  expect(create).toHaveAttribute("aria-disabled", "true");
  expect(create).toHaveAccessibleDescription("Please verify your email to create projects.");
  await user.click(create);
  expect(router.state.location.pathname).toBe("/projects");
});

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
  await user.type(await screen.findByLabelText("Project Name"), "  Aurora ");
  await user.type(screen.getByLabelText("Project Description"), "Trips");
  await user.click(screen.getByRole("combobox", { name: "Default language" }));
  await user.click(await screen.findByRole("option", { name: "German (Deutsch)" }));

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  await expect.poll(() => router.state.location.pathname).toMatch(/^\/projects\/prj_new/);
  expect(bodies).toEqual([{ name: "Aurora", description: "Trips", defaultLanguage: "de" }]);
});

test("a project needs a name", async () => {
  const { user } = openSignedIn("/projects/create");
  await user.type(await screen.findByLabelText("Project Name"), "   ");

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  expect(await screen.findByText("Project name is required.")).toBeVisible();
});

test("a refused project keeps what was typed and shows why", async () => {
  server.use(refusal("post", "/api/projects", 403, { message: "Please verify your email to create projects." }));
  const { user, router } = openSignedIn("/projects/create");
  await user.type(await screen.findByLabelText("Project Name"), "Aurora");
  await user.type(screen.getByLabelText("Project Description"), "Trips");

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Please verify your email to create projects.");
  expect(screen.getByLabelText("Project Name")).toHaveValue("Aurora");
  expect(screen.getByLabelText("Project Description")).toHaveValue("Trips");
  expect(router.state.location.pathname).toBe("/projects/create");

  server.use(offline("post", "/api/projects"));
  await user.click(screen.getByRole("button", { name: "Create Project" }));
  expect(await screen.findByText("Failed to create project. Please try again.")).toBeVisible();
});
