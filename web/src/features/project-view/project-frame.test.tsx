/** The frame around a project's tabs: its sidebar on large screens, its dropdown on small screens. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { renderFrame } from "@/testing/frame-part";
import { VIEWER } from "@/testing/project-settings";
import { answer, server } from "@/testing/server";

const openProject = (path: string, project: Partial<Project> = {}) => renderFrame(path.slice(1), project);

// spec: view-2, view-4
test("the sidebar names the project, its id and its fixed tabs", async () => {
  const { user } = openProject("/general");

  const tabs = within(await screen.findByRole("navigation", { name: "Project" }));
  expect(tabs.getByRole("link", { name: "Content - General" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/general`,
  );
  expect(tabs.getByRole("link", { name: "Colours" })).toHaveAttribute("href", `/projects/${PROJECT_ID}/colors`);
  expect(tabs.getByRole("link", { name: "Images" })).toHaveAttribute("href", `/projects/${PROJECT_ID}/images`);
  const sidebar = within(screen.getByRole("complementary"));
  expect(sidebar.getByText("Aurora Travel")).toBeVisible();
  expect(sidebar.getByText(PROJECT_ID)).toBeVisible();
  await user.click(sidebar.getByRole("button", { name: "Copy project ID" }));
  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe(PROJECT_ID);
});

// spec: view-3, view-7, view-8
test("each screen has its address, a button that copies its id, and a button that deletes it", async () => {
  const { user } = openProject("/general", { tabs: ["general", "home", "search"] });
  const screens = within(await screen.findByRole("navigation", { name: "Screens" }));

  for (const name of ["home", "search"]) {
    expect(screens.getByRole("link", { name })).toHaveAttribute("href", `/projects/${PROJECT_ID}/${name}`);
    expect(screens.getByRole("button", { name: `Delete ${name}` })).toBeInTheDocument();
  }
  await user.click(screens.getByRole("button", { name: "Copy ID of search" }));

  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe("search");
});

// spec: view-5, screen-13
test("the general screen can't be deleted and does not count", async () => {
  openProject("/general", { tabs: ["general"] });

  expect(await screen.findByText("0 / 20 · Growth Tier")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Delete general" })).not.toBeInTheDocument();
});

// spec: screen-10, screen-11, confirm-3
test("deleting a different screen leaves the open screen open, and shows what is lost", async () => {
  const { user, router } = openProject("/home", { tabs: ["general", "home", "search"], isPublished: false });
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(answer("delete", `/api/projects/${PROJECT_ID}/screens/search`, aProject(), { until }));
  await user.click(await screen.findByRole("button", { name: "Delete search" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete screen “search”?" }));
  expect(dialog.getByText("All its translations will be removed. This action cannot be undone.")).toBeVisible();
  expect(await dialog.findByText("It has 12 keys with 24 texts.")).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Delete screen" });

  await user.click(confirm);

  await waitFor(() => expect(confirm).toHaveAttribute("data-loading"));
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  letGo();
  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("link", { name: "search" })).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home`);
});

test("a screen is deleted once, even if the question is answered twice", async () => {
  const calls: unknown[] = [];
  const { user } = openProject("/home", { tabs: ["general", "home", "search"] });
  server.use(
    answer("delete", `/api/projects/${PROJECT_ID}/screens/search`, aProject(), {
      afterMs: 30,
      onCall: () => calls.push("delete"),
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Delete search" }));
  const confirm = within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete screen" });

  // Both before anything is drawn again.
  act(() => {
    fireEvent.click(confirm);
    fireEvent.click(confirm);
  });

  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(calls).toHaveLength(1);
});

test("viewers have no tab that imports texts", async () => {
  openProject("/general", VIEWER);

  const tabs = within(await screen.findByRole("navigation", { name: "Project" }));
  expect(tabs.getByRole("link", { name: "Images" })).toBeVisible();
  expect(tabs.queryByRole("link", { name: "Import files" })).not.toBeInTheDocument();
});

// spec: screen-10
test("a screen is kept when its deletion is cancelled", async () => {
  const { user } = openProject("/home");
  await user.click(await screen.findByRole("button", { name: "Delete home" }));

  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(screen.getByRole("link", { name: "home" })).toBeInTheDocument();
});

// spec: view-10
test("on a small screen a dropdown takes the place of the sidebar", async () => {
  onSmallScreen();
  const { user, router } = openProject("/general", { tabs: ["general", "home", "search"] });

  const picker = await screen.findByRole("combobox", { name: "Part of the project" });
  expect(screen.queryByRole("navigation", { name: "Screens" })).not.toBeInTheDocument();
  expect(
    within(picker)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual([
    "Content - General",
    "Data Stores",
    "Colours",
    "Images",
    "Import files",
    "Releases",
    "Settings",
    "home",
    "search",
  ]);
  expect(within(picker).getByRole("group", { name: "Screens 2 / 20 · Growth Tier" })).toBeInTheDocument();
  await user.selectOptions(picker, "search");

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/search`));
  expect(picker).toHaveValue("search");
});

test("a long name of the project is cut where there is no room, and its tooltip is the whole name", async () => {
  const name = "The Grand Aurora Travel and Leisure Company of the Northern Isles ".repeat(3).trim();
  openProject("/home", { name });

  const title = within(await screen.findByRole("heading", { level: 1 })).getByTitle(name);
  expect(title).toHaveTextContent(name);
  expect(within(screen.getByRole("complementary")).getByTitle(name)).toHaveTextContent(name);
});

test("on a small screen the menu has the sorting", async () => {
  onSmallScreen();
  const { user } = openProject("/general", { tabs: ["general", "search", "checkout"] });
  await user.click(await screen.findByRole("button", { name: "More actions" }));

  await user.click(await screen.findByRole("menuitem", { name: "Sort screens A-Z" }));

  expect(screen.getByRole("menuitem", { name: "Sort screens by creation" })).toBeVisible();
  const listed = within(screen.getByRole("group", { name: /^Screens/ })).getAllByRole("option");
  expect(listed.map((option) => option.textContent)).toEqual(["checkout", "search"]);
});

test("on a small screen viewers are offered what they may do", async () => {
  onSmallScreen();
  const { user } = openProject("/home", { role: "viewer", permissions: ["read"] });

  await user.click(await screen.findByRole("button", { name: "More actions" }));

  const items = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(items.map((item) => item.textContent)).toEqual(["Copy ID of home", "Search all screens", "Connect your app"]);
});

test("on a large screen the menu has what the sidebar lacks", async () => {
  const { user } = openProject("/home");

  await user.click(await screen.findByRole("button", { name: "More actions" }));

  const items = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(items.map((item) => item.textContent)).toEqual(["Preview draft", "Connect your app"]);
});

test.each([
  ["/home", "Discard changes of home2", { changes: ["in:screen/home"], name: "home", section: "screen/home" }],
  ["/colors", "Discard changes of the colours1", { changes: ["in:colors"], name: "the colours" }],
])("the menu of %s discards the changes of the open part", async (path, words, asked) => {
  const discard = vi.fn();
  const unpublished = { total: 3, screens: { home: 2 }, colors: 1, stores: 0 };
  const { user } = renderFrame(path.slice(1), { unpublished }, discard);
  await user.click(await screen.findByRole("button", { name: "More actions" }));

  const items = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(items.map((item) => item.textContent)).toEqual([words, "Preview draft", "Connect your app"]);
  await user.click(items[0] as HTMLElement);

  expect(discard).toHaveBeenCalledWith(asked);
});

/** Replaces the browser's list of options, which is not a part of the page. */
function withShowPicker(showPicker: () => void) {
  const select = HTMLSelectElement.prototype as { showPicker?: () => void };
  select.showPicker = showPicker;
  onTestFinished(() => {
    delete select.showPicker;
  });
}

test.each(["ArrowDown", "ArrowUp", "End", "s"])(
  "the key %s opens the closed dropdown and chooses nothing",
  async (key) => {
    onSmallScreen();
    const showPicker = vi.fn();
    withShowPicker(showPicker);
    openProject("/general", { tabs: ["general", "home", "search"] });
    const picker = await screen.findByRole("combobox", { name: "Part of the project" });

    const isLeftToBrowser = fireEvent.keyDown(picker, { key });

    expect(showPicker).toHaveBeenCalledTimes(1);
    expect(isLeftToBrowser).toBe(false);
  },
);

test("the browser handles the key where the dropdown may not be opened, and every other key", async () => {
  onSmallScreen();
  const showPicker = vi.fn(() => {
    throw new DOMException("Not here.", "SecurityError");
  });
  withShowPicker(showPicker);
  openProject("/general");
  const picker = await screen.findByRole("combobox", { name: "Part of the project" });

  expect(fireEvent.keyDown(picker, { key: "ArrowDown" })).toBe(true);
  expect(fireEvent.keyDown(picker, { key: "Tab" })).toBe(true);
  expect(fireEvent.keyDown(picker, { key: "r", ctrlKey: true })).toBe(true);
  expect(showPicker).toHaveBeenCalledTimes(1);
});
