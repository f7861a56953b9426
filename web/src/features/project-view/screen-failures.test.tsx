/** What the project view shows when the project, or the session, is not there; and when its list of screens can't be changed. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { renderFrame } from "@/testing/frame-part";
import { answer, offline, refusal, server } from "@/testing/server";

const PROJECT = `/api/projects/${PROJECT_ID}`;

const SCREENS = `${PROJECT}/screens`;

const openProject = (path: string, project: Partial<Project> = {}) => renderFrame(path, project);

const newScreen = () => screen.findByRole("textbox", { name: "New screen name" });

// spec: view-9, screen-8, screen-9
test.each([
  ["no message", answer("post", SCREENS, {}, { status: 500 }), "Failed to update project screens"],
  ["no network", offline("post", SCREENS), "Error updating screens."],
])(
  "a screen that can't be added: a failure with %s is shown, the name stays, and a second try works",
  async (_, failing, text) => {
    server.use(failing);
    const { user, router } = openProject("general");
    await user.type(await newScreen(), "checkout{Enter}");
    expect(await screen.findByText(text)).toBeVisible();
    expect(await newScreen()).toHaveValue("checkout");

    server.use(answer("post", SCREENS, aProject({ tabs: ["general", "home", "checkout"] }), { status: 201 }));
    await user.click(screen.getByRole("button", { name: "Add screen" }));

    await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/checkout`));
    expect(await newScreen()).toHaveValue("");
  },
);

// spec: screen-8, screen-9
test.each([
  ["no message", answer("delete", `${SCREENS}/home`, {}, { status: 500 }), "Failed to update project screens"],
  ["no network", offline("delete", `${SCREENS}/home`), "Error updating screens."],
  ["a message", refusal("delete", `${SCREENS}/home`, 409, { message: "It is in use." }), "It is in use."],
])("a screen that can't be deleted: a failure with %s is shown, and the screen stays", async (_, failing, text) => {
  server.use(failing);
  const { user, router } = openProject("home");
  await user.click(await screen.findByRole("button", { name: "Delete home" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete screen" }));

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "home" })).toBeInTheDocument();
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home`);
});

// spec: screen-6, tier-4
test.each([
  ["none", "No Active Plan", "free", null],
  ["expired", "Expired Plan", "expired", "2026-01-01T00:00:00Z"],
  ["starter", "Starter Tier", "paid", "2026-01-01T00:00:00Z"],
])("on the tier %s without time left no screen can be added", async (activeTier, tierName, plan, expiresAt) => {
  const { user } = openProject("general", {
    activeTier,
    tierName,
    plan,
    expiresAt,
    limits: { ...aProject().limits, screens: 0 },
  } as Partial<Project>);

  await user.type(await newScreen(), "second{Enter}");

  const text = `Your project plan is "${tierName}". Please activate a paid tier to add new screens.`;
  expect(await screen.findByText(text)).toBeVisible();
});
