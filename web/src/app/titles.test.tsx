/** The title of the window, and of the bar on a small screen. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answerPages } from "@/testing/pages";
import { answer, refusal, server } from "@/testing/server";

/** What the menu of a small screen shows. */
async function openMenu(user: ReturnType<typeof openSignedIn>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Menu" }));
  return within(await screen.findByRole("dialog"));
}

beforeEach(answerPages);

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
