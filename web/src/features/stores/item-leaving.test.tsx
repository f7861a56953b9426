/** Leaving an item with unsaved text. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { endSession } from "@/lib/session";
import { PROJECT_ID } from "@/testing/fixtures";
import { openItem, type } from "@/testing/items";
import { findOfferOfText } from "@/testing/kept";
import { answer, server } from "@/testing/server";

const PAGE = `/projects/${PROJECT_ID}/stores/destinations`;

// spec: items-19
test("closing the dialog with unsaved text asks first", async () => {
  const opened = await openItem();
  const { user, dialog } = opened;
  await type(opened, "title", "Half a word");

  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  const asked = within(await screen.findByRole("dialog", { name: "Discard your changes?" }));
  await user.click(asked.getByRole("button", { name: "Keep editing" }));
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Half a word");

  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("closing an unchanged dialog asks nothing", async () => {
  const opened = await openItem();
  await type(opened, "title", "Half a word");
  await type(opened, "title", "Lofoten");

  await opened.user.click(opened.dialog.getByRole("button", { name: "Cancel" }));

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: items-19
test("leaving the page, or closing the tab, asks first about unsaved text", async () => {
  const opened = await openItem();
  const leave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(true);
  await type(opened, "title", "Half a word");

  expect(leave()).toBe(false);
  void opened.router.navigate(`/projects/${PROJECT_ID}/colors`);
  await opened.user.click(await screen.findByText("Keep editing"));
  await waitFor(() => expect(screen.queryByText("Keep editing")).not.toBeInTheDocument());
  expect(opened.router.state.location.pathname).toBe(PAGE);
  server.use(answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }));
  void opened.router.navigate(`/projects/${PROJECT_ID}/colors`);
  await opened.user.click(await screen.findByText("Discard changes"));
  await waitFor(() => expect(opened.router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/colors`));
});

test("the end of the session asks nothing and keeps what was written", async () => {
  const opened = await openItem();
  await type(opened, "title", "Vesterålen");

  endSession("expired");
  void opened.router.navigate("/login");

  await waitFor(() => expect(opened.router.state.location.pathname).toBe("/login"));
  expect(screen.queryByText("Discard your changes?")).not.toBeInTheDocument();
  opened.unmount();
  await openItem();
  expect(await findOfferOfText()).toBeVisible();
});
