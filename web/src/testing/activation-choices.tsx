/** The dialog that activates a plan. */
import { screen, within } from "@testing-library/react";
import { ActivationDialog } from "@/features/billing/activation-dialog";
import type { Project } from "@/lib/api-types";
import { aPlan, aProject, aUser } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { answer, server } from "@/testing/server";

export const ASSIGN = "/api/projects/assign-credits";

const SMALL = { screens: 5, stores: 10, seats: 1, languages: 1 };

const FREE = aPlan("free_starter_month", "Free Starter Month", 0, SMALL);

const STARTER = aPlan("starter", "Starter Tier", 19, SMALL);

export const GROWTH = aPlan("growth", "Growth Tier", 69);

const PRO = aPlan("pro", "Pro Tier", 179);

export async function openActivation(
  project: Partial<Project> = {},
  { credits = 500, durations = [1, 2, 3, 6, 12], freeMonthUsed = false } = {},
) {
  server.use(
    answer("get", "/api/user/me", aUser({ credits, freeMonthUsed })),
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations, plans: [FREE, STARTER, GROWTH, PRO] }),
  );
  const opened = openInProject(<ActivationDialog project={aProject(project)} opened onClose={() => {}} />, project);
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("radiogroup", { name: "Plan" });
  const choose = (name: RegExp | string) => opened.user.click(dialog.getByRole("radio", { name }));
  return { ...opened, dialog, choose };
}
