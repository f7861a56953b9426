import { expect, test } from "vitest";
import { aPlan, aProject } from "@/testing/fixtures";
import { firstChoice, outcomeOf } from "./terms";

const { limits } = aProject();
const small = { screens: 5, stores: 10, seats: 1, languages: 1 };
const free = aPlan("free_starter_month", "Free Starter Month", 0, small);
const starter = aPlan("starter", "Starter Tier", 19, small);
const growth = aPlan("growth", "Growth Tier", 69);
const pro = aPlan("pro", "Pro Tier", 179, { screens: 50, stores: 75, seats: 5, languages: 5 });
const plans = [free, starter, growth, pro];
const now = Date.UTC(2026, 0, 31, 10);
const on = (activeTier: string, tierName: string, expiresAt: string | null) =>
  aProject({ activeTier, tierName, expiresAt, languages: ["en"] });
const outcome = (project: ReturnType<typeof aProject>, chosen: typeof free, months: number) => {
  const { refusal, sentences } = outcomeOf(project, chosen, months, plans, now);
  return refusal ?? sentences.join(" ");
};
const misfit = (project: ReturnType<typeof aProject>, chosen: typeof free) =>
  outcomeOf(project, chosen, 1, plans, now).misfit;
const tabs = (screens: number) => ["general", ...Array.from({ length: screens }, (_, index) => `screen_${index}`)];

test("a project without a plan gets the months from now, by the calendar", () => {
  expect(outcome(on("none", "No Active Plan", null), growth, 1)).toBe("Runs until Feb 28, 2026.");
  expect(outcome(on("expired", "Expired Plan", "2025-12-01T10:00:00Z"), growth, 12)).toBe("Runs until Jan 31, 2027.");
  expect(outcome(on("growth", "Growth Tier", "2026-01-31T09:59:00Z"), growth, 2)).toBe("Runs until Mar 31, 2026.");
});

// spec: activation-7
test("a renewal goes on from the end, so that no day is lost", () => {
  expect(outcome(on("growth", "Growth Tier", "2026-03-10T10:00:00Z"), growth, 3)).toBe(
    "Goes on from Mar 10, 2026, until Jun 10, 2026.",
  );
});

// spec: activation-7
test("bought time of another tier counts by the prices", () => {
  const project = on("starter", "Starter Tier", "2026-03-11T10:00:00Z");

  // 39 days at 19 are worth 10.7 days at 69.
  expect(outcome(project, growth, 1)).toBe(
    "Growth Tier starts now and runs at least until Feb 28, 2026. The 39 days left of Starter Tier are added, as far " +
      "as they were bought: by the monthly prices they are worth up to 11 days.",
  );
});

// spec: activation-7
test("free time ends with the change, and the text announces that", () => {
  expect(outcome(on("free_starter_month", "Free Starter Month", "2026-02-20T10:00:00Z"), starter, 1)).toBe(
    "Starter Tier starts now and runs until Feb 28, 2026. Free Starter Month ends with it; its time was not bought, " +
      "so no time is carried over.",
  );
  expect(outcome(on("trial", "Trial Plan", null), growth, 1)).toMatch(/^Growth Tier starts now .* Trial Plan ends/);
});

test("a smaller plan takes nothing away, and the text names what is blocked", () => {
  const project = aProject({ activeTier: "growth", tierName: "Growth Tier", expiresAt: "2026-03-11T10:00:00Z" });

  expect(misfit(project, starter)).toBe(
    "The project has more than Starter Tier allows: 2 languages (1 allowed). Nothing is deleted. You can't add more " +
      "until the project fits the plan.",
  );
  expect(misfit({ ...project, languages: ["en"], seatsTaken: 1 }, starter)).toBeNull();
});

test("what does not fit is named also after the plan has ended", () => {
  const project = {
    ...on("expired", "Expired Plan", "2025-12-01T10:00:00Z"),
    limits: { ...limits, languages: 1 },
    languages: ["en", "de"],
    tabs: tabs(8),
    seatsTaken: 3,
    storeCount: 12,
  };

  expect(misfit(project, starter)).toBe(
    "The project has more than Starter Tier allows: 8 screens (5 allowed), 12 data stores (10 allowed), 3 seats (1 " +
      "allowed), 2 languages (1 allowed). Nothing is deleted. You can't add more until the project fits the plan.",
  );
  expect(misfit(project, growth)).toBeNull();
  // The operator allows this owner any number of languages.
  expect(misfit({ ...project, limits, tabs: tabs(1), seatsTaken: 1, storeCount: 0 }, starter)).toBeNull();
});

test("the first choice is the free month if it was never used, or else the smallest plan that fits", () => {
  const first = (project: ReturnType<typeof aProject>, { used = true } = {}) =>
    firstChoice(project, plans, used, now)?.name;
  const ended = { ...on("expired", "Expired Plan", "2025-12-01T10:00:00Z"), limits: { ...limits, languages: 1 } };

  expect(first(on("none", "No Active Plan", null), { used: false })).toBe("Free Starter Month");
  expect(first(ended, { used: false })).toBe("Free Starter Month");
  expect(first({ ...ended, tabs: tabs(30) }, { used: false })).toBe("Free Starter Month");
  expect(first(on("pro", "Pro Tier", "2025-12-01T10:00:00Z"), { used: false })).toBe("Free Starter Month");
  expect(first(ended)).toBe("Starter Tier");
  expect(first({ ...ended, tabs: tabs(6) })).toBe("Growth Tier");
  expect(first({ ...ended, languages: ["en", "de"] })).toBe("Growth Tier");
  expect(first({ ...ended, seatsTaken: 4 })).toBe("Pro Tier");
  expect(first({ ...ended, storeCount: 31 })).toBe("Pro Tier");
  expect(first({ ...ended, tabs: tabs(60) })).toBe("Pro Tier");
});

test("the first choice is the plan that runs, and for free time the smallest plan that fits", () => {
  const future = "2026-03-11T10:00:00Z";
  const first = (project: ReturnType<typeof aProject>) => firstChoice(project, plans, false, now)?.name;

  expect(first(on("growth", "Growth Tier", future))).toBe("Growth Tier");
  expect(first(on("free_starter_month", "Free Starter Month", future))).toBe("Starter Tier");
  expect(first({ ...on("trial", "Trial Plan", null), tabs: tabs(6) })).toBe("Growth Tier");
});

test("a choice that the server would refuse shows why", () => {
  expect(outcome(on("starter", "Starter Tier", "2026-03-11T10:00:00Z"), free, 1)).toBe(
    "This project already has an active plan. The free month can start when it ends.",
  );
  expect(outcome(on("growth", "Growth Tier", null), growth, 1)).toBe(
    "This project already has this plan without an end date.",
  );
});
