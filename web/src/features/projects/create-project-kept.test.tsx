/** Unsaved text of a new project that is offered again later. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderCreate } from "@/testing/create-project";
import { aProject, aUser, languages } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

test("what was typed for a new project is offered again after the page was left", async () => {
  const first = renderCreate();
  await enter(first.user, await screen.findByLabelText("Project Name"), "Aurora");
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
    await enter(user, await screen.findByLabelText("Project Name"), name);
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
  await enter(first.user, await screen.findByLabelText("Project Name"), "Aurora");
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
