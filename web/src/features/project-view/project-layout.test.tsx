import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { renderFrame } from "@/testing/frame-part";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const openProject = (path: string, project: Partial<Project> = {}) => renderFrame(path.slice(1), project);

const newScreen = () => screen.findByRole("textbox", { name: "New screen name" });

// spec: view-6
test("screens can be sorted by name, and stay sorted", async () => {
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

// spec: screen-3, screen-4, screen-5
test("a screen name is refused before it is sent, with the reason", async () => {
  const { user } = openProject("/general");
  const field = await newScreen();
  for (const [name, message] of [
    [" ", "Screen name cannot be empty."],
    ["my screen", "Use only lowercase letters, numbers, underscores. Must start with a letter."],
    ["1st", "Use only lowercase letters, numbers, underscores. Must start with a letter."],
    ["x".repeat(65), "Use at most 64 characters."],
    ["Settings", 'Screen name "settings" is reserved or already exists.'],
    ["home", 'Screen name "home" is reserved or already exists.'],
  ] as const) {
    await user.clear(field);
    await user.click(field);
    await user.paste(name);
    await user.keyboard("{Enter}");

    expect(await screen.findByText(message), name).toBeVisible();
  }
});

// spec: screen-4
test("a refused name with an obvious correction offers it", async () => {
  const sent: unknown[] = [];
  const { user, router } = openProject("/general");
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/screens`, aProject({ tabs: ["general", "home", "home_page"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.type(await newScreen(), "Home Page{Enter}");
  expect(
    await screen.findByText("Use only lowercase letters, numbers, underscores. Must start with a letter."),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Use home_page" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home_page`));
  expect(sent).toEqual([{ name: "home_page" }]);
});

test("a name without an obvious correction, or with a correction that is taken, gets no offer", async () => {
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
    answer("post", `/api/projects/${PROJECT_ID}/screens`, aProject({ tabs: ["general", "home", "checkout"] }), {
      status: 201,
      afterMs: 50,
      onCall: (body) => sent.push(body),
    }),
  );

  await enter(user, await newScreen(), "checkout");
  const form = screen.getByRole("form", { name: "Add a screen" });
  // Both before anything is drawn again.
  act(() => {
    fireEvent.submit(form);
    fireEvent.submit(form);
  });

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/checkout`));
  expect(sent).toHaveLength(1);
});

// spec: screen-7
test("at the tier's limit the form shows the reason", async () => {
  const { user } = openProject("/general", { limits: { ...aProject().limits, screens: 1 } });

  await user.type(await newScreen(), "second{Enter}");

  expect(
    await screen.findByText(
      'Screen limit of 1 for your "Growth Tier" tier reached. Please upgrade in settings to add more.',
    ),
  ).toBeVisible();
});

// spec: screen-5
test("the server's refusal of a screen is shown under the field", async () => {
  const { user } = openProject("/general");
  server.use(
    refusal("post", `/api/projects/${PROJECT_ID}/screens`, 409, {
      message: 'Screen name "diff" is reserved or already exists.',
    }),
  );

  await user.type(await newScreen(), "diff{Enter}");

  expect(await screen.findByText('Screen name "diff" is reserved or already exists.')).toBeVisible();
});

// spec: screen-6
test("a project without a plan has a calm notice, and adding a screen shows what to do", async () => {
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
