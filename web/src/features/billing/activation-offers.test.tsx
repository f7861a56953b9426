/** Which plan the dialog offers first. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ASSIGN, openActivation, without } from "@/testing/activation-dialog";
import { aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

test("a person who has used the free month is offered a paid plan", async () => {
  const { user, dialog } = await openActivation(without, aUser({ freeMonthUsed: true }));

  expect(screen.getByText("Activate a plan to add screens and publish.")).toBeInTheDocument();
  expect(await dialog.findByRole("radio", { name: /^Starter Tier/ })).toBeChecked();
  await user.click(dialog.getByRole("radio", { name: /^Free Starter Month/ }));
  expect(dialog.getByText("You have already used your free month.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Free Starter Month" })).toBeDisabled();
});

// spec: activation-8
test("a refusal because the free month is used is shown, and the next plan is selected", async () => {
  const { user, dialog } = await openActivation();
  server.use(
    refusal("post", ASSIGN, 409, { message: "You have already used your free month.", code: "free_month_used" }),
  );

  await user.click(await dialog.findByRole("button", { name: "Activate Free Starter Month" }));

  expect(await dialog.findByText("You have already used your free month.")).toBeVisible();
  expect(dialog.getByRole("radio", { name: /Starter Tier/ })).toBeChecked();
  expect(dialog.getByRole("button", { name: "Activate Starter Tier" })).toBeEnabled();
});

test("the tier that a project had is renewed, and a different tier is activated", async () => {
  const ended = { activeTier: "starter", tierName: "Starter Tier", plan: "paid", expiresAt: "2020-01-01T00:00:00Z" };
  const { user, dialog } = await openActivation(ended, aUser({ credits: 62, freeMonthUsed: true }));

  expect(await dialog.findByRole("button", { name: "Renew Starter Tier" })).toBeInTheDocument();
  await user.click(dialog.getByRole("radio", { name: /Growth Tier/ }));
  expect(dialog.getByRole("button", { name: "Activate Growth Tier" })).toBeInTheDocument();
});

// spec: activation-9
test("a person who may not activate a plan reads who may", async () => {
  server.use(
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ ...without, role: "editor", permissions: ["read", "edit", "publish"] }),
    ),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/general`, aScreen([])),
  );
  openSignedIn(`/projects/${PROJECT_ID}/general`);

  expect(await screen.findByText(/Only admins and the owner can activate a plan\./)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Start free month" })).not.toBeInTheDocument();
});
