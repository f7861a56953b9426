import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { aProject, aProjectSummary, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

beforeEach(() => {
  server.use(
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
    answer("get", "/api/languages", { languages }),
    answer("get", "/api/user/apikey", { apikey: "lvk_1" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])),
  );
});

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

// spec: shell-7
test.each([
  ["/dashboard", "Dashboard"],
  ["/projects", "Projects"],
  ["/projects/create", "Create Project"],
  ["/settings", "Settings"],
])("%s is titled '%s', in the window and in the bar of a small screen", async (path, title) => {
  onSmallScreen();
  openSignedIn(path);

  const bar = within(await screen.findByRole("region", { name: "Top bar" }));
  expect(bar.getByText(title)).toBeVisible();
  expect(document.title).toBe(`${title} · Livery`);
});

/** What the menu of a small screen shows. */
async function openMenu(user: ReturnType<typeof openSignedIn>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Menu" }));
  return within(await screen.findByRole("dialog"));
}

// spec: shell-7, shell-8
test.each([
  ["home", "Home"],
  ["a_screen_name_of_30_characters", "A_screen_name_of_30_characters"],
  ["a_screen_name_of_31_characters_", "A_screen_name_of_31_characters…"],
])("the screen '%s' is titled '%s'", async (name, title) => {
  onSmallScreen();
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ tabs: ["general", name] })));
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/${name}`);
  await screen.findByRole("combobox", { name: "Part of the project" });

  expect((await openMenu(user)).getByText(title)).toBeInTheDocument();
  expect(document.title).toBe(`${name} · Aurora Travel · Livery`);
});

test("on a small screen the menu of a project names the project before its part, and changes the theme", async () => {
  onSmallScreen();
  const name = "Aurora Travel for Everybody";
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ name })));
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/home`);
  await screen.findByRole("combobox", { name: "Part of the project" });
  expect(screen.queryByRole("region", { name: "Top bar" })).not.toBeInTheDocument();

  const menu = await openMenu(user);

  expect(menu.getByText(name)).toHaveAttribute("title", name);
  expect(menu.getByRole("paragraph")).toHaveTextContent(`${name} / Home`);
  expect(menu.getByRole("button", { name: /theme/i })).toBeInTheDocument();
});

test.each([
  ["colors", "Colours"],
  ["general", "General"],
  ["stores/destinations", "destinations"],
])("the window of a project's %s is titled '%s' and with the project", async (path, page) => {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject()),
    answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }),
    refusal("get", `/api/stores/${PROJECT_ID}/:store`, 404, { message: "Data Store not found." }),
  );
  openSignedIn(`/projects/${PROJECT_ID}/${path}`);

  await waitFor(() => expect(document.title).toBe(`${page} · Aurora Travel · Livery`));
});

// spec: shell-9
test.each([
  ["Aurora Travels!", "Project: Aurora Travels!"],
  ["Aurora Travels!!", "Project: Aurora Travels!…"],
])("the root of the project '%s' is titled '%s'", async (name, title) => {
  onSmallScreen();
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ name })));
  const { user } = openSignedIn(`/projects/${PROJECT_ID}`);
  await screen.findByRole("combobox", { name: "Part of the project" });

  expect((await openMenu(user)).getByText(title)).toBeInTheDocument();
  expect(document.title).toBe(`General · ${name} · Livery`);
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
