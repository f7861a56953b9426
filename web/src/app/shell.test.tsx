import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { aProject, aProjectSummary, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

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

test.each([
  ["home", "Home"],
  ["a_screen_name_of_30_characters", "A_screen_name_of_30_characters"],
  ["a_screen_name_of_31_characters_", "A_screen_name_of_31_characters…"],
])("the screen '%s' is titled '%s'", async (name, title) => {
  onSmallScreen();
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ tabs: ["general", name] })));
  openSignedIn(`/projects/${PROJECT_ID}/${name}`);

  const bar = within(await screen.findByRole("region", { name: "Top bar" }));
  expect(bar.getByText(title)).toBeVisible();
  expect(document.title).toBe(`${title} · Livery`);
});

test("on a small screen the bar names the project before its part", async () => {
  onSmallScreen();
  const name = "Aurora Travel for Everybody";
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ name })));
  openSignedIn(`/projects/${PROJECT_ID}/home`);

  const bar = within(await screen.findByRole("region", { name: "Top bar" }));
  expect(await bar.findByText(name)).toHaveAttribute("title", name);
  expect(bar.getByRole("paragraph")).toHaveTextContent(`${name} / Home`);
});

test.each([
  ["Aurora Travels!", "Project: Aurora Travels!"],
  ["Aurora Travels!!", "Project: Aurora Travels!…"],
])("the root of the project '%s' is titled '%s'", async (name, title) => {
  onSmallScreen();
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ name })));
  openSignedIn(`/projects/${PROJECT_ID}`);

  const bar = within(await screen.findByRole("region", { name: "Top bar" }));
  expect(await bar.findByText(title)).toBeVisible();
  expect(document.title).toBe(`${title} · Livery`);
});
