import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderCreate } from "@/testing/create-project";
import { aProject, aUser, languages } from "@/testing/fixtures";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

// spec: create-6
test("a project needs a name", async () => {
  const { user } = renderCreate();
  await user.type(await screen.findByLabelText("Project Name"), "   ");

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  expect(await screen.findByText("Project name is required.")).toBeVisible();
});

// spec: create-8, create-9
test("a refused project keeps what was typed and shows why", async () => {
  server.use(refusal("post", "/api/projects", 403, { message: "Please verify your email to create projects." }));
  const { user, router } = renderCreate();
  await enter(user, await screen.findByLabelText("Project Name"), "Aurora");
  await enter(user, screen.getByLabelText("Project Description"), "Trips");

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Please verify your email to create projects.");
  expect(screen.getByLabelText("Project Name")).toHaveValue("Aurora");
  expect(screen.getByLabelText("Project Description")).toHaveValue("Trips");
  expect(router.state.location.pathname).toBe("/projects/create");

  server.use(offline("post", "/api/projects"));
  await user.click(screen.getByRole("button", { name: "Create Project" }));
  expect(await screen.findByText("Failed to create project. Please try again.")).toBeVisible();
});

// spec: create-1, create-2
test("the form asks for a name, with an example, and for what the app is", async () => {
  renderCreate();

  expect(await screen.findByRole("heading", { level: 1, name: "Create Project" })).toBeVisible();
  const name = screen.getByLabelText("Project Name");
  expect(name).toHaveAttribute("placeholder", "My Awesome App");
  expect(name).toBeRequired();
  expect(screen.getByLabelText("Project Description")).not.toBeRequired();
});

// spec: create-2, create-4, create-5
test("a project without a description is saved, the button shows a spinner, and the project opens at its general tab", async () => {
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const project = aProject({ projectId: "prj_new", name: "Aurora" });
  server.use(answer("post", "/api/projects", project, { status: 201, until }));
  const { user, router } = renderCreate();
  await enter(user, await screen.findByLabelText("Project Name"), "Aurora");
  const create = screen.getByRole("button", { name: "Create Project" });

  await user.click(create);

  await waitFor(() => expect(create).toHaveAttribute("data-loading"));
  expect(create).toBeDisabled();
  letGo();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects/prj_new/general"));
});

// spec: create-10
test.each([
  [{ message: "Projects can't be made just now." }, "Projects can't be made just now."],
  [{}, "Project ID missing in response and no message provided."],
])("an answer without an id, %j, is no project", async (body, text) => {
  server.use(answer("post", "/api/projects", body, { status: 201 }));
  const { user, router } = renderCreate();
  await enter(user, await screen.findByLabelText("Project Name"), "Aurora");

  await user.click(screen.getByRole("button", { name: "Create Project" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expect(screen.getByLabelText("Project Name")).toHaveValue("Aurora");
  expect(router.state.location.pathname).toBe("/projects/create");
});

// spec: create-12
test("a person who is not verified can't send the form and reads why", async () => {
  renderCreate(aUser({ isVerified: false }));

  expect(await screen.findByText("Please verify your email to create projects.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Project" })).toBeDisabled();
});
