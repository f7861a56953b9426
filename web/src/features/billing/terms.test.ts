import { expect, test } from "vitest";
import { aProject } from "@/testing/fixtures";
import { outcomeOf } from "./terms";

const { limits } = aProject();
const plan = (id: string, name: string, monthlyCreditCost: number, more: Partial<typeof limits> = {}) => ({
  id,
  name,
  monthlyCreditCost,
  priceDisplay: "",
  tag: "",
  icon: "",
  features: [],
  limits: { ...limits, ...more },
  support: "",
});
const free = plan("free_starter_month", "Free Starter Month", 0);
const starter = plan("starter", "Starter Tier", 19, { screens: 5, seats: 1, languages: 1 });
const growth = plan("growth", "Growth Tier", 69);
const plans = [free, starter, growth];
const now = Date.UTC(2026, 0, 31, 10);
const on = (activeTier: string, tierName: string, expiresAt: string | null) =>
  aProject({ activeTier, tierName, expiresAt, languages: ["en"] });
const outcome = (project: ReturnType<typeof aProject>, chosen: typeof free, months: number) => {
  const { refusal, sentences } = outcomeOf(project, chosen, months, plans, now);
  return refusal ?? sentences.join(" ");
};

test("a project without a plan gets the months from now, by the calendar", () => {
  expect(outcome(on("none", "No Active Plan", null), growth, 1)).toBe("Runs until Feb 28, 2026.");
  expect(outcome(on("expired", "Expired Plan", "2025-12-01T10:00:00Z"), growth, 12)).toBe("Runs until Jan 31, 2027.");
  expect(outcome(on("growth", "Growth Tier", "2026-01-31T09:59:00Z"), growth, 2)).toBe("Runs until Mar 31, 2026.");
});

test("a renewal goes on from the end, so that no day is lost", () => {
  expect(outcome(on("growth", "Growth Tier", "2026-03-10T10:00:00Z"), growth, 3)).toBe(
    "Goes on from Mar 10, 2026, until Jun 10, 2026.",
  );
});

test("bought time of another tier counts by the prices", () => {
  const project = on("starter", "Starter Tier", "2026-03-11T10:00:00Z");

  // 39 days at 19 are worth 10.7 days at 69.
  expect(outcome(project, growth, 1)).toBe(
    "Growth Tier starts now and runs at least until Feb 28, 2026. The 39 days left of Starter Tier are added, as far " +
      "as they were bought: by the monthly prices they are worth up to 11 days.",
  );
});

test("free time ends with the change, and is said to", () => {
  expect(outcome(on("free_starter_month", "Free Starter Month", "2026-02-20T10:00:00Z"), starter, 1)).toBe(
    "Starter Tier starts now and runs until Feb 28, 2026. Free Starter Month ends with it; its time was not bought, " +
      "so none is carried over.",
  );
  expect(outcome(on("trial", "Trial Plan", null), growth, 1)).toMatch(/^Growth Tier starts now .* Trial Plan ends/);
});

test("a smaller plan takes nothing away, but says what is blocked", () => {
  const project = aProject({ activeTier: "growth", tierName: "Growth Tier", expiresAt: "2026-03-11T10:00:00Z" });

  expect(outcome(project, starter, 1)).toMatch(
    /The project has more than Starter Tier allows: nothing is deleted, but nothing can be added until it fits\.$/,
  );
  expect(outcome({ ...project, languages: ["en"], seatsTaken: 1 }, starter, 1)).not.toMatch(/more than/);
});

test("what the server would refuse can't be chosen", () => {
  expect(outcome(on("starter", "Starter Tier", "2026-03-11T10:00:00Z"), free, 1)).toBe(
    "This project already has an active plan. The free month can start when it ends.",
  );
  expect(outcome(on("growth", "Growth Tier", null), growth, 1)).toBe(
    "This project already has this plan without an end date.",
  );
});
