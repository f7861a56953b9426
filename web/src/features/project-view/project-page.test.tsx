/** A project as it is opened: its frame, its screens, and what is shown when the project or the session is not there. */

import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { aDiff, aKey, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { screenLosses } from "@/testing/frame-part";
import { open, openSignedIn } from "@/testing/open";
import { openSettings } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const PROJECT = `/api/projects/${PROJECT_ID}`;

function answerProject(project: Partial<Project> = {}) {
  server.use(
    answer("get", PROJECT, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([aKey("title", { en: "Hello", de: "Hallo" })])),
    answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }),
  );
}

// spec: view-13
test.each(["", "/general", "/home", "/colors"])(
  "without a session the address %s of a project reports that and leads to the login page",
  async (tab) => {
    const { router } = open(`/projects/${PROJECT_ID}${tab}`);

    expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
    expect(await screen.findByText("Authentication error. Please log in again.")).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/login");
  },
);

// spec: view-13
test.each(["/projects", "/projects/create", "/dashboard"])(
  "without a session %s leads to the login page without a message",
  async (path) => {
    open(path);

    expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
    expect(screen.queryByText("Authentication error. Please log in again.")).not.toBeInTheDocument();
  },
);

// spec: session-5, view-14
test("a refused token of a project ends the session, and the login page shows that", async () => {
  localStorage.setItem("currentProjectView", "{}");
  server.use(refusal("get", PROJECT, 401, { message: "Session expired." }));
  const { router } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();

  expect(await screen.findByText("Session expired. Please log in again.")).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/login");
  for (const key of ["authToken", "user", "currentProjectView"]) expect(localStorage.getItem(key)).toBeNull();
});

// spec: view-16, view-17, view-18
test.each([
  ["refused without a message", answer("get", PROJECT, {}, { status: 500 }), "Failed to fetch project details."],
  [
    "refused with a message",
    refusal("get", PROJECT, 503, { message: "The database is away." }),
    "The database is away.",
  ],
  ["not answered", offline("get", PROJECT), "Error loading project."],
])("a project that is %s is reported once, and can be loaded again", async (_, failing, text) => {
  answerProject();
  server.use(failing);
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByRole("heading", { level: 1, name: "Project data not loaded." })).toBeVisible();
  expect(screen.getAllByText(text)).toHaveLength(1);
  expect(screen.queryByRole("button", { name: /Publish Changes/ })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/projects");

  answerProject();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Travel / home");
  expect(screen.queryByText("Project data not loaded.")).not.toBeInTheDocument();
});

test.each([
  ["its usage", `${PROJECT}/usage`],
  ["its members", `${PROJECT}/members`],
])("a person who was removed from the open project is led out of it as soon as %s is refused", async (_, path) => {
  const gone = { message: "Project not found.", code: "project_not_found" };
  const member = (id: string, role: string) => ({
    user: { _id: id, name: id, email: `${id}@example.com` },
    role,
    status: "active",
    expiresAt: null,
    apiKeyLastUsedAt: null,
  });
  let reads = 0;
  const { router, queryClient } = await openSettings({
    members: [member("usr_0", "owner"), member("usr_1", "viewer")] as Project["members"],
  });
  server.use(
    answer(
      "get",
      PROJECT,
      { ...gone, fields: {} },
      {
        status: 404,
        onCall: () => {
          reads += 1;
        },
      },
    ),
    refusal("get", path, 404, gone),
  );
  // As the clock does for the usage, and looking at the window for the others.
  void queryClient.refetchQueries({
    predicate: ({ queryKey: [read] }) => `${read}`.endsWith(path.split("/").at(-1) ?? ""),
  });

  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
  expect(screen.getAllByText("Project not found.")).toHaveLength(1);
  expect(reads).toBe(1);

  // After a new invitation, nothing remembered prevents the visit.
  answerProject();
  await router.navigate(`/projects/${PROJECT_ID}/general`);
  expect(await screen.findByRole("heading", { level: 1, name: /^Aurora Travel/ })).toBeVisible();
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`);
});

function openProject(path: string, project: Partial<Project> = {}) {
  answerProject(project);
  server.use(screenLosses);
  return openSignedIn(`/projects/${PROJECT_ID}${path}`);
}

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

test.each<[string, Partial<Project>, string]>([
  ["nothing to publish", { isPublished: true }, "default"],
  ["changes", { isPublished: true, unpublished: { total: 1, screens: { home: 1 }, colors: 0, stores: 0 } }, "filled"],
  ["no release yet", { isPublished: false }, "filled"],
])("with %s the button that publishes is filled only if there is something to publish", async (_, project, variant) => {
  const { user } = openProject("/home", project);

  const button = await screen.findByRole("button", { name: /^Publish Changes/ });

  expect(button).toHaveAttribute("data-variant", variant);
  expect(button).toBeEnabled();
  await user.hover(button);
  const action = variant === "filled" ? "Review and publish" : "Nothing to publish";
  expect(await screen.findByRole("tooltip", { name: new RegExp(`^${action}`) })).toBeInTheDocument();
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

// spec: view-15
test("a project that does not exist leads to the list", async () => {
  server.use(
    refusal("get", `/api/projects/${PROJECT_ID}`, 404, { message: "Project not found." }),
    answer("get", "/api/projects", []),
  );
  const { router } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByText("Project not found.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

// spec: view-3, text-1
test("an address without a screen shows that and leads back", async () => {
  openProject("/nowhere");

  expect(await screen.findByRole("heading", { name: "There is no screen “nowhere”" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Content - General" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/general`,
  );
});

test("'Connect your app' shows the keys and the first lines of code", async () => {
  const { user } = openProject("/general");

  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Connect your app" }));
  const dialog = await screen.findByRole("dialog");

  expect(within(dialog).getByText("lvp_example")).toBeVisible();
  expect(dialog).toHaveTextContent(`projectId: "${PROJECT_ID}"`);
  expect(dialog).toHaveTextContent(`baseUrl: "${window.location.origin}"`);
  await user.click(within(dialog).getByRole("tab", { name: "JavaScript" }));
  expect(dialog).toHaveTextContent('livery.t("general.title", "Hello")');
});
