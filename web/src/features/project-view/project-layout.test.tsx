import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aKey, aProject, aScreen, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";
const KEYS = `/api/translations/${ID}/:screen`;

function openProject(path: string, project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${ID}`, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", KEYS, aScreen([aKey("title", { en: "Hello", de: "Hallo" })])),
  );
  return openSignedIn(`/projects/${ID}${path}`);
}

const newScreen = () => screen.findByRole("textbox", { name: "New screen name" });

test("the bare address of a project is its general tab", async () => {
  const { router } = openProject("");

  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Travel / Content - General");
  expect(router.state.location.pathname).toBe(`/projects/${ID}/general`);
  expect(await screen.findByRole("grid", { name: "Texts of general" })).toBeInTheDocument();
});

test("the sidebar shows the screens with their use of the limit, and a dot where edits wait", async () => {
  openProject("/home", { unpublished: { total: 3, screens: { home: 3 }, colors: 0, stores: 0 } });

  const screens = await screen.findByRole("navigation", { name: "Screens" });
  expect(screen.getByText("1 / 20 · Growth Tier")).toBeInTheDocument();
  expect(within(screens).getByRole("img", { name: "3 unpublished changes" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: /Publish Changes/ })).toHaveAccessibleName(
    "Publish Changes, 3 changes wait",
  );
});

test("screens can be sorted by name, and stay so", async () => {
  const tabs = ["general", "search", "checkout"];
  const { user, unmount } = openProject("/general", { tabs });
  const names = async () =>
    within(await screen.findByRole("navigation", { name: "Screens" }))
      .getAllByRole("link")
      .map((link) => link.textContent);
  expect(await names()).toEqual(["search", "checkout"]);

  await user.click(screen.getByRole("button", { name: /Sort A-Z/ }));
  expect(await names()).toEqual(["checkout", "search"]);
  unmount();

  openProject("/general", { tabs });
  expect(await names()).toEqual(["checkout", "search"]);
});

test("a new screen is added under its normalised name and opened", async () => {
  const sent: unknown[] = [];
  const { user, router } = openProject("/general");
  server.use(
    answer("post", `/api/projects/${ID}/screens`, aProject({ tabs: ["general", "home", "checkout"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.type(await newScreen(), "Checkout");
  expect(screen.getByText("checkout")).toBeVisible();
  await user.keyboard("{Enter}");

  expect(await screen.findByText('Screen "checkout" added!')).toBeInTheDocument();
  expect(sent).toEqual([{ name: "checkout" }]);
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/checkout`));
});

test.each([
  [" ", "Screen name cannot be empty."],
  ["my screen", "Use only lowercase letters, numbers, underscores. Must start with a letter."],
  ["1st", "Use only lowercase letters, numbers, underscores. Must start with a letter."],
  ["x".repeat(65), "Use at most 64 characters."],
  ["Settings", 'Screen name "settings" is reserved or already exists.'],
  ["home", 'Screen name "home" is reserved or already exists.'],
])("the screen name '%s' is refused before it is sent", async (name, message) => {
  const { user } = openProject("/general");

  await user.type(await newScreen(), `${name}{Enter}`);

  expect(await screen.findByText(message)).toBeVisible();
});

test("a refused name with an obvious correction offers it", async () => {
  const sent: unknown[] = [];
  const { user, router } = openProject("/general");
  server.use(
    answer("post", `/api/projects/${ID}/screens`, aProject({ tabs: ["general", "home", "home_page"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.type(await newScreen(), "Home Page{Enter}");
  expect(
    await screen.findByText("Use only lowercase letters, numbers, underscores. Must start with a letter."),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Use home_page" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/home_page`));
  expect(sent).toEqual([{ name: "home_page" }]);
});

test("a name without an obvious correction, or whose correction is taken, offers none", async () => {
  const { user } = openProject("/general");
  const field = await newScreen();

  for (const name of ["1st", "Home!", "Settings?"]) {
    await user.clear(field);
    await user.type(field, `${name}{Enter}`);
    expect(screen.getByText(/Use only lowercase letters/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Use / })).not.toBeInTheDocument();
  }
});

test("a screen is added once, however fast it is sent twice", async () => {
  const sent: unknown[] = [];
  const { user, router } = openProject("/general");
  server.use(
    answer("post", `/api/projects/${ID}/screens`, aProject({ tabs: ["general", "home", "checkout"] }), {
      status: 201,
      afterMs: 50,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.type(await newScreen(), "checkout");
  const form = screen.getByRole("form", { name: "Add a screen" });
  // Both before anything is drawn again.
  act(() => {
    fireEvent.submit(form);
    fireEvent.submit(form);
  });

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/checkout`));
  expect(sent).toHaveLength(1);
});

test("at the tier's limit the reason is given", async () => {
  const { user } = openProject("/general", { limits: { ...aProject().limits, screens: 1 } });

  await user.type(await newScreen(), "second{Enter}");

  expect(
    await screen.findByText(
      'Screen limit of 1 for your "Growth Tier" tier reached. Please upgrade in settings to add more.',
    ),
  ).toBeVisible();
});

test("the server's refusal of a screen is shown under the field", async () => {
  const { user } = openProject("/general");
  server.use(
    refusal("post", `/api/projects/${ID}/screens`, 409, {
      message: 'Screen name "diff" is reserved or already exists.',
    }),
  );

  await user.type(await newScreen(), "diff{Enter}");

  expect(await screen.findByText('Screen name "diff" is reserved or already exists.')).toBeVisible();
});

test("deleting the open screen asks first and goes to general", async () => {
  const { user, router } = openProject("/home");
  server.use(answer("delete", `/api/projects/${ID}/screens/home`, aProject({ tabs: ["general"] })));

  await user.click(await screen.findByRole("button", { name: "Delete home" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("All its translations will be removed. This action cannot be undone.");
  expect(dialog).toHaveTextContent("Apps keep showing what they have until you publish.");
  await user.click(within(dialog).getByRole("button", { name: "Delete screen" }));

  expect(await screen.findByText("Screen deleted.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
  expect(screen.queryByRole("link", { name: "home" })).not.toBeInTheDocument();
});

test("a project without a plan says so calmly, and adding a screen says what to do", async () => {
  const { user } = openProject("/general", {
    activeTier: "none",
    tierName: "No Active Plan",
    plan: "free",
    expiresAt: null,
  });

  expect(await screen.findByText("Start your free month to add screens and publish.")).toBeVisible();
  await user.type(await newScreen(), "second{Enter}");

  expect(
    await screen.findByText('Your project plan is "No Active Plan". Please activate a paid tier to add new screens.'),
  ).toBeVisible();
});

test("a project that is not there leads to the list", async () => {
  server.use(
    refusal("get", `/api/projects/${ID}`, 404, { message: "Project not found." }),
    answer("get", "/api/projects", []),
  );
  const { router } = openSignedIn(`/projects/${ID}/home`);

  expect(await screen.findByText("Project not found.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

test("a project that can't be loaded says so", async () => {
  server.use(offline("get", `/api/projects/${ID}`));
  openSignedIn(`/projects/${ID}/home`);

  expect(await screen.findByText("Error loading project.")).toBeVisible();
});

test("an address of no screen says so and leads back", async () => {
  openProject("/nowhere");

  expect(await screen.findByRole("heading", { name: "There is no screen “nowhere”" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Content - General" })).toHaveAttribute(
    "href",
    `/projects/${ID}/general`,
  );
});

test("'Connect your app' shows the keys and the first lines of code", async () => {
  const { user } = openProject("/general");

  await user.click(await screen.findByRole("button", { name: "Connect your app" }));
  const dialog = await screen.findByRole("dialog");

  expect(within(dialog).getByText("lvp_example")).toBeVisible();
  expect(dialog).toHaveTextContent(`projectId: "${ID}"`);
  expect(dialog).toHaveTextContent(`baseUrl: "${window.location.origin}"`);
  await user.click(within(dialog).getByRole("tab", { name: "JavaScript" }));
  expect(dialog).toHaveTextContent('livery.t("general.title")');
});
