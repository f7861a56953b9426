/** The frame around a project's tabs: its sidebar on large screens, its dropdown on small ones. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { aProject, aScreen, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";

function openProject(path: string, project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${ID}`, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${ID}/:screen`, aScreen([])),
    answer("get", `/api/colors/${ID}`, { colors: [] }),
  );
  return openSignedIn(`/projects/${ID}${path}`);
}

test("the sidebar names the project, its id and its fixed tabs", async () => {
  const { user } = openProject("/general");

  const tabs = within(await screen.findByRole("navigation", { name: "Project" }));
  expect(tabs.getByRole("link", { name: "Content - General" })).toHaveAttribute("href", `/projects/${ID}/general`);
  expect(tabs.getByRole("link", { name: "Colours" })).toHaveAttribute("href", `/projects/${ID}/colors`);
  expect(tabs.getByRole("link", { name: "Images" })).toHaveAttribute("href", `/projects/${ID}/images`);
  const sidebar = within(screen.getByRole("complementary"));
  expect(sidebar.getByText("Aurora Travel")).toBeVisible();
  expect(sidebar.getByText(ID)).toBeVisible();
  await user.click(sidebar.getByRole("button", { name: "Copy project ID" }));
  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe(ID);
});

test("each screen has its address, a button that copies its id, and one that deletes it", async () => {
  const { user } = openProject("/general", { tabs: ["general", "home", "search"] });
  const screens = within(await screen.findByRole("navigation", { name: "Screens" }));

  for (const name of ["home", "search"]) {
    expect(screens.getByRole("link", { name })).toHaveAttribute("href", `/projects/${ID}/${name}`);
    expect(screens.getByRole("button", { name: `Delete ${name}` })).toBeInTheDocument();
  }
  await user.click(screens.getByRole("button", { name: "Copy ID of search" }));

  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe("search");
});

test("the general screen can't be deleted and does not count", async () => {
  openProject("/general", { tabs: ["general"] });

  expect(await screen.findByText("0 / 20 · Growth Tier")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Delete general" })).not.toBeInTheDocument();
});

test.each([
  ["/general", "Aurora Travel / Content - General"],
  ["/colors", "Aurora Travel / Colours"],
  ["/home", "Aurora Travel / home"],
])("the head of %s is '%s', beside the button that publishes", async (path, title) => {
  openProject(path);

  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(title);
  expect(screen.getByRole("button", { name: "Publish Changes" })).toBeVisible();
});

test("deleting another screen leaves the open one open, and says what is lost", async () => {
  const { user, router } = openProject("/home", { tabs: ["general", "home", "search"], isPublished: false });
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(answer("delete", `/api/projects/${ID}/screens/search`, aProject(), { until }));
  await user.click(await screen.findByRole("button", { name: "Delete search" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete screen “search”?" }));
  expect(dialog.getByText("All its translations will be removed. This action cannot be undone.")).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Delete screen" });

  await user.click(confirm);

  await waitFor(() => expect(confirm).toHaveAttribute("data-loading"));
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  letGo();
  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("link", { name: "search" })).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${ID}/home`);
});

test("a screen is deleted once, however fast the question is answered twice", async () => {
  const calls: unknown[] = [];
  const { user } = openProject("/home", { tabs: ["general", "home", "search"] });
  server.use(
    answer("delete", `/api/projects/${ID}/screens/search`, aProject(), {
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

test("a screen is kept when its deletion is called off", async () => {
  const { user } = openProject("/home");
  await user.click(await screen.findByRole("button", { name: "Delete home" }));

  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(screen.getByRole("link", { name: "home" })).toBeInTheDocument();
});

test("on a small screen a dropdown takes the place of the sidebar", async () => {
  onSmallScreen();
  const { user, router } = openProject("/general", { tabs: ["general", "home", "search"] });

  const picker = await screen.findByRole("combobox", { name: "Part of the project" });
  expect(screen.queryByRole("navigation", { name: "Screens" })).not.toBeInTheDocument();
  expect(
    within(picker)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["Content - General", "Data Stores", "Colours", "Images", "Releases", "Settings", "home", "search"]);
  expect(within(picker).getByRole("group", { name: "Screens 2 / 20 · Growth Tier" })).toBeInTheDocument();
  await user.selectOptions(picker, "search");

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/search`));
  expect(picker).toHaveValue("search");
});

test("a long name of the project is cut where there is no room, and shows the whole when pointed at", async () => {
  const name = "The Grand Aurora Travel and Leisure Company of the Northern Isles ".repeat(3).trim();
  openProject("/home", { name });

  const title = within(await screen.findByRole("heading", { level: 1 })).getByTitle(name);
  expect(title).toHaveTextContent(name);
  expect(within(screen.getByRole("complementary")).getByTitle(name)).toHaveTextContent(name);
});

test("on a small screen a screen can be added, its id copied and it deleted", async () => {
  onSmallScreen();
  const { user, router } = openProject("/home");
  const more = await screen.findByRole("button", { name: "More actions" });
  await user.click(more);
  await user.click(await screen.findByRole("menuitem", { name: "Copy ID of home" }));
  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe("home");
  server.use(
    answer("post", `/api/projects/${ID}/screens`, aProject({ tabs: ["general", "home", "search"] }), { status: 201 }),
    answer("delete", `/api/projects/${ID}/screens/search`, aProject()),
  );

  await user.click(more);
  await user.click(await screen.findByRole("menuitem", { name: "Add a screen" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add a screen" }));
  expect(dialog.getByText("Screens: 1 / 20 · Growth Tier")).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "New screen name" }), "search{Enter}");

  expect(await screen.findByText('Screen "search" added!')).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/search`));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(more);
  await user.click(await screen.findByRole("menuitem", { name: "Delete search" }));
  const question = within(await screen.findByRole("dialog", { name: "Delete screen “search”?" }));
  await user.click(question.getByRole("button", { name: "Delete screen" }));
  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
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
  await user.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}");
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

test("on a small screen the sorting stays at hand in the menu", async () => {
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
  expect(items.map((item) => item.textContent)).toEqual(["Copy ID of home", "Connect your app"]);
});

/** Stands in for the browser's list of options, which is not a part of the page. */
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

test("where the dropdown may not be opened, and on other keys, the browser does what it does", async () => {
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

test("after a choice the focus stays in the dropdown, until the next key", async () => {
  onSmallScreen();
  const { user } = openProject("/general", { tabs: ["general", "home"] });
  const picker = await screen.findByRole("combobox", { name: "Part of the project" });
  await screen.findByRole("grid", { name: "Texts of general" });
  picker.focus();

  await user.selectOptions(picker, "home");

  expect(await screen.findByRole("grid", { name: "Texts of home" })).toBeInTheDocument();
  await waitFor(() => expect(picker).toHaveFocus());
  await user.tab();
  expect(picker).not.toHaveFocus();
});
