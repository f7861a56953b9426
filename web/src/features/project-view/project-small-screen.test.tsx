/** The head of a project on a small screen. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { aDiff, aProject, PROJECT_ID } from "@/testing/fixtures";
import { openProject } from "@/testing/project-page";
import { answer, server } from "@/testing/server";

// spec: view-10, screen-2
test("on a small screen a screen can be added, its id copied and it deleted", async () => {
  onSmallScreen();
  const { user, router } = openProject("/home");
  const more = await screen.findByRole("button", { name: "More actions" });
  await user.click(more);
  await user.click(await screen.findByRole("menuitem", { name: "Copy ID of home" }));
  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe("home");
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/screens`, aProject({ tabs: ["general", "home", "search"] }), {
      status: 201,
    }),
    answer("delete", `/api/projects/${PROJECT_ID}/screens/search`, aProject()),
  );

  await user.click(more);
  await user.click(await screen.findByRole("menuitem", { name: "Add a screen" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add a screen" }));
  expect(dialog.getByText("Screens: 1 / 20 · Growth Tier")).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "New screen name" }), "search{Enter}");

  expect(await screen.findByText('Screen "search" added!')).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/search`));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(more);
  await user.click(await screen.findByRole("menuitem", { name: "Delete search" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete screen “search”?" }));
  await user.click(question.getByRole("button", { name: "Delete screen" }));
  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`));
});

test("on a small screen the actions are a menu for the keyboard, and the focus comes back to its button", async () => {
  onSmallScreen();
  const { user } = openProject("/home", { tabs: ["general", "home", "search"] });
  const more = await screen.findByRole("button", { name: "More actions" });
  const item = (name: string) => screen.getByRole("menuitem", { name });
  // An empty screen begins in the field for its first key.
  await screen.findByRole("grid", { name: "Texts of home" });
  more.focus();

  await user.keyboard("{Enter}");
  expect(await screen.findByRole("menu")).toBeInTheDocument();
  await waitFor(() => expect(item("Copy ID of home")).toHaveFocus());
  await user.keyboard("{ArrowDown}");
  expect(item("Delete home")).toHaveFocus();
  await user.tab();
  expect(item("Add a screen")).toHaveFocus();
  await user.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
  expect(item("Connect your app")).toHaveFocus();

  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).not.toBeInTheDocument());
  await waitFor(() => expect(more).toHaveFocus());

  for (const [name, title] of [
    ["Delete home", "Delete screen “home”?"],
    ["Add a screen", "Add a screen"],
    ["Connect your app", "Connect your app"],
  ] as const) {
    await user.keyboard("{Enter}");
    await screen.findByRole("menu");
    item(name).focus();
    await user.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog", { name: title });
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(more).toHaveFocus());
  }
});

test("on a phone the menu begins with the scheduled publish", async () => {
  onSmallScreen();
  const { user } = openProject("/home", { scheduledFor: new Date(Date.now() + 400 * 86_400_000).toISOString() });
  server.use(
    answer("get", `/api/schedule/project/${PROJECT_ID}`, []),
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff()),
  );
  const more = await screen.findByRole("button", { name: "More actions" });
  await screen.findByRole("grid", { name: "Texts of home" });

  await user.click(more);
  const [first] = await screen.findAllByRole("menuitem");
  expect(first).toHaveTextContent(/^Scheduled publish\S+, \S+ \d+, \d{4}, \d+:\d\d [AP]M$/);
  await user.click(first as HTMLElement);

  expect(await screen.findByRole("dialog", { name: "Manage Scheduled Publishes" })).toBeVisible();
});
