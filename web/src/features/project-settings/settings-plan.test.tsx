/** From the settings of a project to its plan. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, aUser } from "@/testing/fixtures";
import { openSettings, team } from "@/testing/project-settings";
import { answer } from "@/testing/server";

test("the plan's button opens the choice of plans", async () => {
  const { section, user } = await openSettings();

  await user.click(section("Usage and plan limits").getByRole("button", { name: "Renew or change plan" }));

  expect(await screen.findByRole("dialog")).toBeInTheDocument();
});

// spec: members-2, members-3
test("without a plan nobody can be invited, and the section offers a plan", async () => {
  const { user, section: part } = await openSettings({
    activeTier: "none",
    tierName: "No Active Plan",
    plan: "free",
    expiresAt: null,
    members: team.slice(0, 2),
    limits: { ...aProject().limits, seats: 1 },
  });
  const section = part("Team members");
  expect(await section.findByText("Activate a plan for this project to manage members.")).toBeVisible();
  expect(section.queryByRole("button", { name: "Invite member" })).not.toBeInTheDocument();

  await user.click(section.getByRole("button", { name: "Activate a plan" }));

  expect(await screen.findByRole("dialog", { name: "Activate a plan" })).toBeVisible();
});

test("the upgrade at the cap leads to the next plan with more seats", async () => {
  const plan = (id: string, name: string, seats: number, monthlyCreditCost: number) => ({
    id,
    name,
    tag: "",
    priceDisplay: "",
    features: [],
    monthlyCreditCost,
    limits: { ...aProject().limits, seats },
  });
  const plans = [
    plan("starter", "Starter Tier", 1, 19),
    plan("growth", "Growth Tier", 3, 49),
    plan("pro", "Pro Tier", 10, 149),
  ];
  const offer = answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans });
  const { user, section: part } = await openSettings({ members: team, seatsTaken: 3 }, aUser(), offer);
  const section = part("Team members");

  await user.click(await section.findByRole("button", { name: "Upgrade" }));

  expect(await screen.findByRole("dialog", { name: "Activate Pro Tier" })).toBeVisible();
  expect(screen.getByRole("radio", { name: /^Pro Tier/ })).toBeChecked();
});
