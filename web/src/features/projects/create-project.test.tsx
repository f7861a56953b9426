import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderPart } from "@/testing/component";
import { aProject, aUser, languages } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { CreateProjectPage } from "./create-project-page";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

const renderCreate = (me = aUser()) => renderPart(<CreateProjectPage />, { at: "/projects/create", me });

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
  await user.type(await screen.findByLabelText("Project Name"), "Aurora");
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
  await user.type(await screen.findByLabelText("Project Name"), "Aurora");

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

test("what was typed for a new project is offered again after the page was left", async () => {
  const first = renderCreate();
  await first.user.type(await screen.findByLabelText("Project Name"), "Aurora");
  await enter(first.user, screen.getByLabelText("Project Description"), "Trips to the north");
  first.unmount();

  const second = renderCreate();
  expect(await screen.findByLabelText("Project Name")).toHaveValue("");
  await second.user.click(await findOfferOfText());

  expect(screen.getByLabelText("Project Name")).toHaveValue("Aurora");
  expect(screen.getByLabelText("Project Name")).toHaveFocus();
  expect(screen.getByLabelText("Project Description")).toHaveValue("Trips to the north");
  expect(offerOfText()).not.toBeInTheDocument();
  second.unmount();

  const third = renderCreate();
  await third.user.click(await screen.findByRole("button", { name: "Discard it" }));
  expect(screen.getByLabelText("Project Name")).toHaveValue("");
  third.unmount();
  renderCreate();
  await screen.findByLabelText("Project Name");
  expect(offerOfText()).not.toBeInTheDocument();
});

test("text that was typed beside an offer is kept too", async () => {
  for (const name of ["Aurora", "Borealis"]) {
    const { user, unmount } = renderCreate();
    await user.type(await screen.findByLabelText("Project Name"), name);
    unmount();
  }

  const { user, unmount } = renderCreate();
  await user.click(await findOfferOfText());
  expect(screen.getByLabelText("Project Name")).toHaveValue("Borealis");
  await user.clear(screen.getByLabelText("Project Name"));
  unmount();

  const again = renderCreate();
  await again.user.click(await findOfferOfText());
  expect(screen.getByLabelText("Project Name")).toHaveValue("Aurora");
});

test("a project that was created leaves no text behind, and nobody else is offered the text", async () => {
  const first = renderCreate();
  await first.user.type(await screen.findByLabelText("Project Name"), "Aurora");
  first.unmount();

  const other = renderCreate(aUser({ _id: "usr_2" }));
  await screen.findByLabelText("Project Name");
  expect(offerOfText()).not.toBeInTheDocument();
  other.unmount();

  server.use(answer("post", "/api/projects", aProject({ projectId: "prj_new" }), { status: 201 }));
  const { user, router, unmount } = renderCreate();
  await user.click(await findOfferOfText());
  await user.click(screen.getByRole("button", { name: "Create Project" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects/prj_new/general"));
  unmount();

  renderCreate();
  await screen.findByLabelText("Project Name");
  expect(offerOfText()).not.toBeInTheDocument();
});
