/** Going through the parts of a project. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openProject } from "@/testing/project-page";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const newScreen = () => screen.findByRole("textbox", { name: "New screen name" });

// spec: view-11
test.each([
  ["/general", "Aurora Travel / Content - General"],
  ["/colors", "Aurora Travel / Colours"],
  ["/home", "Aurora Travel / home"],
])("the head of %s is '%s', beside the button that publishes", async (path, title) => {
  openProject(path);

  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(title);
  expect(screen.getByRole("button", { name: "Publish Changes" })).toBeVisible();
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

// spec: view-1, view-12
test("the bare address of a project is its general tab", async () => {
  const { router } = openProject("");

  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Travel / Content - General");
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`);
  expect(await screen.findByRole("grid", { name: "Texts of general" })).toBeInTheDocument();
});

// spec: view-5, tier-3, text-1
test("the sidebar shows the screens with their use of the limit, and marks a screen with unpublished changes", async () => {
  openProject("/home", { unpublished: { total: 3, screens: { home: 3 }, colors: 0, stores: 0 } });

  const screens = await screen.findByRole("navigation", { name: "Screens" });
  expect(screen.getByText("1 / 20 · Growth Tier")).toBeInTheDocument();
  expect(within(screens).getByRole("img", { name: "3 unpublished changes" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: /Publish Changes/ })).toHaveAccessibleName(
    "Publish Changes, 3 changes wait",
  );
});

// spec: screen-1, screen-2, tier-4
test("a new screen is added under its normalised name and opened", async () => {
  const sent: unknown[] = [];
  const { user, router } = openProject("/general");
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/screens`, aProject({ tabs: ["general", "home", "checkout"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await enter(user, await newScreen(), "Checkout");
  expect(screen.getByText("checkout")).toBeVisible();
  await user.keyboard("{Enter}");

  expect(await screen.findByText('Screen "checkout" added!')).toBeInTheDocument();
  expect(sent).toEqual([{ name: "checkout" }]);
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/checkout`));
});

// spec: screen-10, screen-11, screen-12
test("deleting the open screen asks first and goes to general", async () => {
  const { user, router } = openProject("/home");
  server.use(answer("delete", `/api/projects/${PROJECT_ID}/screens/home`, aProject({ tabs: ["general"] })));

  await user.click(await screen.findByRole("button", { name: "Delete home" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("All its translations will be removed. This action cannot be undone.");
  expect(dialog).toHaveTextContent("Apps keep showing what they have until you publish.");
  await user.click(within(dialog).getByRole("button", { name: "Delete screen" }));

  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`));
  expect(screen.queryByRole("link", { name: "home" })).not.toBeInTheDocument();
});
