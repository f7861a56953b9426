import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { heard } from "@/testing/browser";
import { aPlan, aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

const ASSIGN = "/api/projects/assign-credits";
const plans = {
  creditPrice: "1 USDT",
  durations: [1, 2, 3, 6, 12],
  plans: [
    aPlan("free_starter_month", "Free Starter Month", 0),
    aPlan("starter", "Starter Tier", 19),
    aPlan("growth", "Growth Tier", 69),
  ],
};
const without = { activeTier: "none", tierName: "No Active Plan", plan: "free", expiresAt: null };

async function openActivation(project: Partial<Project> = without, person = aUser({ credits: 62 })) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", "/api/plans", plans),
    answer("get", `/api/translations/${PROJECT_ID}/general`, aScreen([])),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/general`, person);
  await opened.user.click(await screen.findByRole("button", { name: /^(Choose a plan|Start free month)$/ }));
  return { ...opened, dialog: within(await screen.findByRole("dialog")) };
}

// spec: event-2, activation-8
test("a new project starts with the free month, in one click", async () => {
  const calls: { body: unknown; key: string | null }[] = [];
  const balances = heard("userCreditsUpdated");
  const { user, dialog } = await openActivation();
  server.use(
    answer(
      "post",
      ASSIGN,
      { message: "The plan is active.", project: aProject({ activeTier: "free_starter_month" }), userCredits: 61 },
      {
        onCall: (body, request) => calls.push({ body, key: request.headers.get("idempotency-key") }),
      },
    ),
  );

  expect(await dialog.findByRole("radio", { name: /Free Starter Month/ })).toBeChecked();
  expect(dialog.getByText("1 month")).toBeVisible();
  expect(dialog.queryByRole("radio", { name: /^\d+ months?$/ })).not.toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Activate Free Starter Month" }));

  expect(await screen.findByText("The plan is active.")).toBeInTheDocument();
  expect(calls).toHaveLength(1);
  expect(calls[0]?.body).toEqual({ projectId: PROJECT_ID, tierId: "free_starter_month", months: 1 });
  expect(calls[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(balances).toEqual([{ credits: 61 }]);
  await waitFor(() =>
    expect(screen.queryByText("Start your free month to add screens and publish.")).not.toBeInTheDocument(),
  );
});

test("the dialog shows the cost and the missing credits", async () => {
  const { user, dialog } = await openActivation();

  await user.click(await dialog.findByRole("radio", { name: /Starter Tier/ }));
  await user.click(dialog.getByRole("radio", { name: "3 months" }));
  expect(dialog.getByText("57 credits")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Starter Tier" })).toBeEnabled();

  await user.click(dialog.getByRole("radio", { name: "6 months" }));
  expect(dialog.getByText("Not enough credits. You need 114, but have 62.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Starter Tier" })).toBeDisabled();
});

// spec: activation-6
test("credits are spent once after a lost answer: the second try carries the same key", async () => {
  const seen: (string | null)[] = [];
  const { user, dialog } = await openActivation();
  server.use(
    http.post(`*${ASSIGN}`, ({ request }) => {
      seen.push(request.headers.get("idempotency-key"));
      server.use(answer("get", "/api/user/me", aUser({ credits: 43 })));
      return seen.length === 1
        ? HttpResponse.error()
        : HttpResponse.json({
            message: "The plan is active.",
            project: aProject({ activeTier: "starter" }),
            userCredits: 43,
          });
    }),
  );

  await user.click(await dialog.findByRole("radio", { name: /Starter Tier/ }));
  await user.click(dialog.getByRole("button", { name: "Activate Starter Tier" }));
  expect(await dialog.findByText("The server can't be reached. Please try again.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Activate Starter Tier" }));

  expect(await screen.findByText("The plan is active.")).toBeInTheDocument();
  expect(seen).toHaveLength(2);
  expect(seen[0]).toBe(seen[1]);
  expect(await screen.findByText("43 credits")).toBeInTheDocument();
});

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
