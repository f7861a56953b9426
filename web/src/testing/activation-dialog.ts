/** A project without a plan, and the plans. */
import { screen, within } from "@testing-library/react";
import type { Project } from "@/lib/api-types";
import { aPlan, aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

export const ASSIGN = "/api/projects/assign-credits";

const plans = {
  creditPrice: "1 USDT",
  durations: [1, 2, 3, 6, 12],
  plans: [
    aPlan("free_starter_month", "Free Starter Month", 0),
    aPlan("starter", "Starter Tier", 19),
    aPlan("growth", "Growth Tier", 69),
  ],
};

export const without = { activeTier: "none", tierName: "No Active Plan", plan: "free", expiresAt: null };

export async function openActivation(project: Partial<Project> = without, person = aUser({ credits: 62 })) {
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
