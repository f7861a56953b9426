/** Which plan is offered first, and what becomes of a project's time when a plan is chosen: as the server will decide. */
import type { Answer, Project } from "@/lib/api-types";
import { formatDay } from "@/lib/time";

type Plan = Answer<"/api/plans", "get">["plans"][number];

export const FREE = "free_starter_month";

const DAY_MS = 86_400_000;

export interface Outcome {
  /** Why this can't be chosen now, or null. */
  refusal: string | null;
  /** What the project has more of than the plan allows, or null. It can be chosen all the same. */
  misfit: string | null;
  /** Until when the plan runs, and what is carried over. */
  sentences: string[];
}

/** When the project's plan ends, in milliseconds; null for a plan without an end. */
const endOf = ({ expiresAt }: Project): number | null => (expiresAt === null ? null : new Date(expiresAt).getTime());

function isActive(project: Project, now: number): boolean {
  const end = endOf(project);
  return !["none", "expired"].includes(project.activeTier) && (end === null || end > now);
}

/** Whether the project has this tier already, so that choosing it makes it last longer. The free month can't be renewed. */
export const isRenewal = (project: Project, tier: string): boolean =>
  project.activeTier === tier && !["none", "expired", FREE].includes(tier);

/**
 * Returns the plan to begin with: the free month for who may have it, else the tier that the project is on. Without
 * such a tier, it is the cheapest plan that the project fits into, or the largest plan.
 */
export function firstChoice(
  project: Project,
  plans: readonly Plan[],
  isFreeMonthUsed: boolean,
  now: number,
): Plan | undefined {
  const free = plans.find(({ id }) => id === FREE);
  if (free !== undefined && !isFreeMonthUsed && !isActive(project, now)) return free;
  const present = plans.find(({ id }) => isRenewal(project, id));
  if (present !== undefined) return present;
  const paid = plans
    .filter(({ monthlyCreditCost }) => monthlyCreditCost > 0)
    .sort((one, other) => one.monthlyCreditCost - other.monthlyCreditCost);
  return paid.find((plan) => excesses(project, plan, plans).length === 0) ?? paid.at(-1) ?? plans[0];
}

/** `plans` are the plans on offer, with the price of the current tier; `now` is in milliseconds. */
export function outcomeOf(project: Project, plan: Plan, months: number, plans: readonly Plan[], now: number): Outcome {
  const excess = excesses(project, plan, plans);
  const misfit =
    excess.length === 0
      ? null
      : `The project has more than ${plan.name} allows: ${excess.join(", ")}. Nothing is deleted. You can't add more until the project fits the plan.`;
  return { ...timeOf(project, plan, months, plans, now), misfit };
}

type Time = Omit<Outcome, "misfit">;

function timeOf(project: Project, plan: Plan, months: number, plans: readonly Plan[], now: number): Time {
  if (!isActive(project, now)) return said(`Runs until ${day(addMonths(now, months))}.`);
  const end = endOf(project);
  if (plan.id === FREE) {
    return refused("This project already has an active plan. The free month can start when it ends.");
  }
  if (plan.id === project.activeTier) {
    if (end === null) return refused("This project already has this plan without an end date.");
    return said(`Goes on from ${day(end)}, until ${day(addMonths(end, months))}.`);
  }
  return said(...conversion(project, end, plan, months, plans, now));
}

const refused = (refusal: string): Time => ({ refusal, sentences: [] });
const said = (...sentences: string[]): Time => ({ refusal: null, sentences });

/** Describes a change of the tier: it starts now, and bought time of the old tier becomes time of the new tier by their prices. */
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
      `${tierName} ends with it; its time was not bought, so no time is carried over.`,
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

/** What the project has too much of for a plan: '8 screens (5 allowed)'. */
function excesses(project: Project, { limits }: Plan, plans: readonly Plan[]): string[] {
  const languages = ownLanguageLimit(project, plans) ?? limits.languages;
  const counts: readonly (readonly [used: number, limit: number, name: string, names: string])[] = [
    // `general` is every project's own and does not count.
    [project.tabs.length - 1, limits.screens, "screen", "screens"],
    [project.storeCount, limits.stores, "data store", "data stores"],
    [project.seatsTaken, limits.seats, "seat", "seats"],
    [project.languages.length, languages, "language", "languages"],
  ];
  return counts
    .filter(([used, limit]) => limit !== UNLIMITED && used > limit)
    .map(([used, limit, name, names]) => `${used} ${used === 1 ? name : names} (${limit} allowed)`);
}

const UNLIMITED = -1;

/** The owner's own limit of languages. It is not the limit of the present tier, and stays on every plan; null without an own limit. */
function ownLanguageLimit({ activeTier, limits }: Project, plans: readonly Plan[]): number | null {
  const usual = ["none", "expired"].includes(activeTier)
    ? LANGUAGES_WITHOUT_PLAN
    : plans.find(({ id }) => id === activeTier)?.limits.languages;
  return usual === undefined || usual === limits.languages ? null : limits.languages;
}

/** As in the server's table of tiers (livery/billing/plans.py). */
const LANGUAGES_WITHOUT_PLAN = 1;

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
