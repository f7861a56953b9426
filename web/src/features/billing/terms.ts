/** What becomes of a project's time when a plan is chosen. The server decides; this says beforehand what it will do. */
import type { Answer, Project } from "@/lib/api-types";
import { formatDay } from "@/lib/time";

type Plan = Answer<"/api/plans", "get">["plans"][number];

export const FREE = "free_starter_month";

const DAY_MS = 86_400_000;

export interface Outcome {
  /** Why this can't be chosen now, or null. */
  refusal: string | null;
  /** Until when the plan runs, and what is carried over. */
  sentences: string[];
}

/** `plans` are those on offer, which know the price of the present tier; `now` is in milliseconds. */
export function outcomeOf(project: Project, plan: Plan, months: number, plans: readonly Plan[], now: number): Outcome {
  const end = project.expiresAt === null ? null : new Date(project.expiresAt).getTime();
  const isActive = !["none", "expired"].includes(project.activeTier) && (end === null || end > now);
  if (!isActive) return said(`Runs until ${day(addMonths(now, months))}.`);
  if (plan.id === FREE) {
    return refused("This project already has an active plan. The free month can start when it ends.");
  }
  if (plan.id === project.activeTier) {
    if (end === null) return refused("This project already has this plan without an end date.");
    return said(`Goes on from ${day(end)}, until ${day(addMonths(end, months))}.`);
  }
  return said(...conversion(project, end, plan, months, plans, now), ...shrinkage(project, plan, plans));
}

const refused = (refusal: string): Outcome => ({ refusal, sentences: [] });
const said = (...sentences: string[]): Outcome => ({ refusal: null, sentences });

/** Another tier starts now; bought time of the old one is worth as much of the new as its price says. */
function conversion(
  { activeTier, tierName }: Project,
  end: number | null,
  plan: Plan,
  months: number,
  plans: readonly Plan[],
  now: number,
): string[] {
  const until = addMonths(now, months);
  const oldPrice = plans.find(({ id }) => id === activeTier)?.monthlyCreditCost ?? 0;
  if (end === null || oldPrice === 0) {
    return [
      `${plan.name} starts now and runs until ${day(until)}.`,
      `${tierName} ends with it; its time was not bought, so none is carried over.`,
    ];
  }
  // Which part of it was bought only the server knows.
  const left = end - now;
  const worth = (left * oldPrice) / plan.monthlyCreditCost;
  return [
    `${plan.name} starts now and runs at least until ${day(until)}.`,
    `The ${days(left)} left of ${tierName} are added, as far as they were bought:`,
    `by the monthly prices they are worth up to ${days(worth)}.`,
  ];
}

/** Less room than is in use takes nothing away. A limit of languages that is not the tier's is the owner's own, and stays. */
function shrinkage(project: Project, { limits, name }: Plan, plans: readonly Plan[]): string[] {
  const present = plans.find(({ id }) => id === project.activeTier);
  const isOwnLimit = present !== undefined && present.limits.languages !== project.limits.languages;
  const isOver =
    project.tabs.length - 1 > limits.screens ||
    project.seatsTaken > limits.seats ||
    (!isOwnLimit && project.languages.length > limits.languages);
  return isOver
    ? [`The project has more than ${name} allows: nothing is deleted, but nothing can be added until it fits.`]
    : [];
}

/** The same day `months` calendar months later, or that month's last day. As the server counts, in UTC. */
function addMonths(moment: number, months: number): number {
  const date = new Date(moment);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return new Date(moment).setUTCMonth(date.getUTCMonth() + months, Math.min(date.getUTCDate(), lastDay));
}

const day = (moment: number) => formatDay(new Date(moment).toISOString());

function days(ms: number): string {
  const count = Math.round(ms / DAY_MS);
  if (count === 0) return "less than a day";
  return count === 1 ? "1 day" : `${count.toLocaleString("en")} days`;
}
