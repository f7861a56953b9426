/** The frame around a project's tabs: its sidebar on large screens, its dropdown on small ones. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { aProject, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";

function openProject(path: string, project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${ID}`, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${ID}/:screen`, { keys: [] }),
    answer("get", `/api/colors/${ID}`, { colors: [] }),
  );
  return openSignedIn(`/projects/${ID}${path}`);
}

test("the sidebar names the project, its id and its fixed tabs", async () => {
  const { user } = openProject("/general");

  const tabs = within(await screen.findByRole("navigation", { name: "Project" }));
  expect(tabs.getByRole("link", { name: "Content - General" })).toHaveAttribute("href", `/projects/${ID}/general`);
  expect(tabs.getByRole("link", { name: "Colours" })).toHaveAttribute("href", `/projects/${ID}/colors`);
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
  ).toEqual(["Content - General", "Colours", "Settings", "home", "search"]);
  expect(within(picker).getByRole("group", { name: "Screens 2 / 20 · Growth Tier" })).toBeInTheDocument();
  await user.selectOptions(picker, "search");

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/search`));
  expect(picker).toHaveValue("search");
});

test("on a small screen a screen can be added, its id copied and it deleted", async () => {
  onSmallScreen();
  const { user, router } = openProject("/home");
  const more = await screen.findByRole("button", { name: "More actions" });
  await user.click(more);
  await user.click(await screen.findByRole("button", { name: "Copy ID of home" }));
  expect(await screen.findByText("ID copied!")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Delete home" })).toBeInTheDocument();
  server.use(
    answer("post", `/api/projects/${ID}/screens`, aProject({ tabs: ["general", "home", "search"] }), { status: 201 }),
  );

  await user.click(screen.getByRole("button", { name: "Add a screen" }));
  await user.type(await screen.findByRole("textbox", { name: "New screen name" }), "search{Enter}");

  expect(await screen.findByText('Screen "search" added!')).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/search`));
});
