/** What the activation dialog shows before and after a choice, on every kind of plan. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ASSIGN, openActivation } from "@/testing/activation-choices";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { answer, offline, refusal, server } from "@/testing/server";

const FUTURE = "2199-01-31T12:00:00Z";

const EXPIRED = { activeTier: "expired", tierName: "Expired Plan", expiresAt: "2020-01-01T00:00:00Z", plan: "expired" };

const SOON = () => new Date(Date.now() + 20 * 86_400_000).toISOString();

// spec: activation-1
test("the present tier is renewed, a different tier is activated, and the title shows which of both", async () => {
  const { choose } = await openActivation({ activeTier: "growth", tierName: "Growth Tier", expiresAt: FUTURE });
  expect(screen.getByRole("dialog", { name: "Renew Growth Tier" })).toBeInTheDocument();

  await choose(/Pro Tier/);
  expect(screen.getByRole("dialog", { name: "Activate Pro Tier" })).toBeInTheDocument();
});

// spec: activation-1
test.each([
  ["none", "No Active Plan", null, "free", "Activate Free Starter Month"],
  ["expired", "Expired Plan", "2020-01-01T00:00:00Z", "expired", "Activate Free Starter Month"],
  ["free_starter_month", "Free Starter Month", FUTURE, "free", "Activate Starter Tier"],
])("on %s the dialog activates a plan and renews no plan", async (activeTier, tierName, expiresAt, planOf, title) => {
  const { choose } = await openActivation({ activeTier, tierName, expiresAt, plan: planOf });

  expect(screen.getByRole("dialog", { name: title })).toBeInTheDocument();
  await choose(/Free Starter Month/);
  expect(screen.getByRole("dialog", { name: "Activate Free Starter Month" })).toBeInTheDocument();
});

test("after the end of a plan the dialog selects a plan that fits; a plan that does not fit shows why", async () => {
  const { choose } = await openActivation(
    { ...EXPIRED, languages: ["en"], storeCount: 12, limits: { ...aProject().limits, languages: 1 } },
    { freeMonthUsed: true },
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Activate Growth Tier" }));
  expect(dialog.queryByText(/^The project has more than/)).not.toBeInTheDocument();

  await choose(/Starter Tier/);
  expect(
    dialog.getByText(/^The project has more than Starter Tier allows: 12 data stores \(10 allowed\)\./),
  ).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Starter Tier" })).toBeEnabled();
});

test("a person who never had the free month is offered it first, also after the end of a plan", async () => {
  await openActivation({ ...EXPIRED, activeTier: "pro", tierName: "Pro Tier" });

  expect(screen.getByRole("dialog", { name: "Activate Free Starter Month" })).toBeInTheDocument();
});

test("a project that had its free month is offered a paid plan first, and its free month is used", async () => {
  const fits = { languages: ["en"], limits: { ...aProject().limits, languages: 1 } };
  const { dialog, choose } = await openActivation({ ...EXPIRED, ...fits, freeMonthUsed: true });
  expect(screen.getByRole("dialog", { name: "Activate Starter Tier" })).toBeInTheDocument();

  await choose(/Free Starter Month/);

  expect(within(dialog.getByRole("radio", { name: /Free Starter Month/ })).getByText("Used")).toBeVisible();
  expect(dialog.getByText("This project has already had its free month.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Free Starter Month" })).toBeDisabled();
});

test("the plan that runs is the current plan", async () => {
  const { dialog } = await openActivation({ activeTier: "growth", tierName: "Growth Tier", expiresAt: FUTURE });

  expect(within(dialog.getByRole("radio", { name: /Growth Tier/ })).getByText("Current plan")).toBeVisible();
  expect(dialog.getAllByText("Current plan")).toHaveLength(1);
});

// spec: activation-2
test("each of the five durations has its total, and what the plan gives is on its card", async () => {
  const { dialog, choose } = await openActivation({}, { credits: 9_999 });
  const offered = within(dialog.getByRole("radiogroup", { name: "Duration" })).getAllByRole("radio");
  expect(offered.map((radio) => radio.textContent)).toEqual([
    "1 month",
    "2 months",
    "3 months",
    "6 months",
    "12 months",
  ]);

  for (const [months, total] of [
    ["1 month", "69 credits"],
    ["2 months", "138 credits"],
    ["3 months", "207 credits"],
    ["6 months", "414 credits"],
    ["12 months", "828 credits"],
  ] as const) {
    await choose(months);
    expect(dialog.getByText(total)).toBeVisible();
  }
  expect(within(dialog.getByRole("radio", { name: /Growth Tier/ })).getByText("20 screens")).toBeVisible();
});

// spec: activation-7
test("the dialog shows what becomes of the time that is left before a person pays", async () => {
  const { dialog, choose } = await openActivation({
    activeTier: "starter",
    tierName: "Starter Tier",
    expiresAt: SOON(),
  });
  await choose(/Starter Tier/);
  expect(dialog.getByText(/^Goes on from .*, until .*\.$/)).toBeVisible();

  await choose(/Growth Tier/);
  expect(dialog.getByText(/^Growth Tier starts now/)).toHaveTextContent(
    "The 20 days left of Starter Tier are added, as far as they were bought: by the monthly prices they are worth up to 6 days.",
  );

  await choose(/Free Starter Month/);
  expect(dialog.getByText(/^This project already has an active plan\./)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Free Starter Month" })).toBeDisabled();
});

// spec: activation-3
test("nothing is sent before a duration is chosen", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer(
      "post",
      ASSIGN,
      { message: "The plan is active.", project: aProject(), userCredits: 1 },
      {
        onCall: (body) => bodies.push(body),
      },
    ),
  );
  const { user, dialog, choose } = await openActivation({}, { durations: [3, 6] });
  const renew = dialog.getByRole("button", { name: "Renew Growth Tier" });

  await user.click(renew);
  expect(await dialog.findByText("Please select a valid tier and duration.")).toBeVisible();
  expect(bodies).toEqual([]);

  await choose("3 months");
  await user.click(renew);
  await waitFor(() => expect(bodies).toEqual([{ projectId: PROJECT_ID, tierId: "growth", months: 3 }]));
});

// spec: activation-5
test.each([
  ["the server's words", refusal("post", ASSIGN, 409, { message: "The plan has changed." }), "The plan has changed."],
  ["our words", answer("post", ASSIGN, {}, { status: 500 }), "Failed to activate/renew tier"],
  ["a lost connection", offline("post", ASSIGN), "The server can't be reached. Please try again."],
])("a failure is shown in a toast and beside the button: %s", async (_, refused, text) => {
  server.use(refused);
  const { user, dialog } = await openActivation();

  await user.click(dialog.getByRole("button", { name: "Renew Growth Tier" }));

  expect(await screen.findByText(`Failed to update tier: ${text}`)).toBeInTheDocument();
  expect(dialog.getByText(text)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Renew Growth Tier" })).toBeEnabled();
});
