import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answerPages } from "@/testing/pages";
import { answer, server } from "@/testing/server";

beforeEach(answerPages);

test("'?' shows the shortcuts of the page, except in a field; the foot of the sidebar shows them too", async () => {
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject()));
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/home`);
  const search = await screen.findByLabelText("Filter this screen");
  await user.type(search, "?");
  expect(search).toHaveValue("?");
  await user.click(screen.getByRole("main"));

  await user.keyboard("?");

  const dialog = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  expect(dialog.getByRole("region", { name: "In the texts of a screen" })).toHaveTextContent("Undo the last change");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(within(screen.getByRole("navigation", { name: "Main" })).getByRole("link", { name: "Settings" }));
  await user.click(await screen.findByRole("button", { name: "Keyboard shortcuts" }));
  expect(await screen.findByRole("region", { name: "On every page" })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("region", { name: "In the texts of a screen" })).toBeNull());
});

// spec: shell-1, shell-2, shell-3
test("the sidebar names its three places, greets by name and has the way out", async () => {
  openSignedIn("/dashboard");

  const links = within(await screen.findByRole("navigation", { name: "Main" })).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Dashboard", "/dashboard"],
    ["Projects", "/projects"],
    ["Settings", "/settings"],
  ]);
  expect(await screen.findByText("Welcome, Demo Person", { selector: "span" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Logout" })).toHaveAttribute("href", "/logout");
});

// spec: shell-5
test("on a small screen the menu opens and closes, and holds what the sidebar holds", async () => {
  onSmallScreen();
  const { user, router } = openSignedIn("/dashboard");
  const menu = await screen.findByRole("button", { name: "Menu" });
  expect(screen.queryByRole("navigation", { name: "Main" })).not.toBeInTheDocument();

  await user.click(menu);
  const drawer = within(await screen.findByRole("dialog"));
  expect(await drawer.findByText("Welcome, Demo Person")).toBeInTheDocument();
  expect(drawer.getByRole("link", { name: "Logout" })).toHaveAttribute("href", "/logout");
  await user.click(drawer.getByRole("button", { name: "Close menu" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(menu);
  await user.click(within(await screen.findByRole("dialog")).getByRole("link", { name: "Projects" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  // The page's code is loaded first.
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

test.each(["/nowhere", `/projects/${PROJECT_ID}/stores/a/b/c`, `/projects/${PROJECT_ID}/%E0%A4%A`, "/%E0%A4%A"])(
  "the address %s, which has no page, shows so inside the shell",
  async (path) => {
    openSignedIn(path);

    expect(await screen.findByRole("heading", { name: "There is no page at this address" })).toBeVisible();
    expect(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
    expect(screen.getAllByRole("main")).toHaveLength(1);
    expect(document.title).toBe("Page not found · Livery");
  },
);

test("without a session an address without a page shows no shell", async () => {
  open("/nowhere");

  expect(await screen.findByRole("heading", { name: "There is no page at this address" })).toBeVisible();
  expect(screen.queryByRole("navigation", { name: "Main" })).not.toBeInTheDocument();
  expect(document.title).toBe("Page not found · Livery");
});
