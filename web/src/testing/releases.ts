/** Releases, comparisons and the preview of a restore, as the API gives them, and the parts of their page. */

import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { Release, ReleaseDiff, RestorePreview } from "@/features/releases/queries";
import type { Project } from "@/lib/api-types";
import type { KeyChange } from "@/lib/diff";
import { aProject, PROJECT_ID } from "./fixtures";
import { answer, server } from "./server";

export const LIST = `/api/projects/${PROJECT_ID}/releases`;

export const pro: Partial<Project> = { hasHistory: true, activeTier: "pro", tierName: "Pro Tier", release: 3 };

/** This time of day, `days` calendar days ago: a day on which clocks go back has 25 hours. */
export function ago(days: number): string {
  const moment = new Date();
  moment.setDate(moment.getDate() - days);
  return moment.toISOString();
}

export const aRelease = (number: number, values: Partial<Release> = {}): Release => ({
  number,
  timestamp: ago(0),
  by: "Ada Lovelace",
  kind: "publish",
  changes: 12,
  restored: null,
  isCurrent: false,
  ...values,
});

export const third = aRelease(3, { isCurrent: true, changes: 1 });

export const second = aRelease(2, { kind: "scheduled", by: "Grace Hopper", timestamp: ago(1) });

export const first = aRelease(1, { timestamp: "2025-11-19T10:00:00Z" });

export const aChange = (key: string, old: string, next: string): KeyChange => ({
  key,
  change: old === "" ? "added" : next === "" ? "removed" : "changed",
  by: "Ada Lovelace",
  at: ago(0),
  values: [{ language: "en", old, new: next }],
});

export const aDiff = (release: number, values: Partial<ReleaseDiff> = {}): ReleaseDiff => ({
  release,
  against: "previous",
  total: 1,
  screens: [
    {
      screen: "home",
      change: "changed",
      total: 1,
      keys: [aChange("title", `Text of ${release - 1}`, `Text of ${release}`)],
    },
  ],
  colors: [],
  colorsTotal: 0,
  stores: [],
  images: [],
  imagesTotal: 0,
  languages: [],
  ...values,
});

/** Every comparison answers with both sides in its text. */
export const comparisons = http.get(`*${LIST}/:number/diff`, ({ request, params }) => {
  const against = new URL(request.url).searchParams.get("against") ?? "previous";
  const number = Number(params["number"]);
  const keys = [aChange("title", `Text of ${against}`, `Text of ${number}`)];
  return HttpResponse.json(
    aDiff(number, {
      against: against === "previous" || against === "draft" ? against : Number(against),
      screens: [{ screen: "home", change: "changed", total: 1, keys }],
    }),
  );
});

export const aPreview = (values: Partial<RestorePreview> = {}): RestorePreview => ({
  release: 4,
  leftOut: [],
  waiting: 0,
  staying: 0,
  keptEdits: 0,
  ...values,
});

/** The outcome of a restore that took no edits out of the draft. */
export const nothingKept = { keptEdits: 0, keptAt: null, returnedEdits: 0 };

export const PREVIEW = `${LIST}/:number/restore`;

// The first page of a file loads all of its code.
export const listed = async () =>
  within(await screen.findByRole("navigation", { name: "Releases, newest first" }, { timeout: 15_000 }));

export const detail = async (number: number) =>
  within(await screen.findByRole("article", { name: `Release ${number}` }));

export const staleMessage = "Another release was published since you looked. Please look at what would change now.";

export const stale = { message: staleMessage, code: "stale_release" };

/** Restores for a person who saw release `live`, and refuses everybody else. Returns the calls. */
export function colleaguePublishes(live: number): { number: string; expected: number }[] {
  const calls: { number: string; expected: number }[] = [];
  const present = aRelease(live, { isCurrent: true, by: "Grace Hopper" });
  server.use(
    http.post(`*${LIST}/:number/restore`, async ({ params, request }) => {
      const { expected } = (await request.json()) as { expected: number };
      calls.push({ number: String(params["number"]), expected });
      if (expected === live) {
        const message = `Release ${params["number"]} was restored: it is release ${live + 1} now.`;
        return HttpResponse.json({ message, release: live + 1, published: true, leftOut: [], ...nothingKept });
      }
      server.use(
        answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, release: live })),
        answer("get", LIST, { releases: [present, { ...third, isCurrent: false }, second, first], nextCursor: null }),
      );
      return HttpResponse.json(stale, { status: 409 });
    }),
  );
  return calls;
}

export const restoreButton = () => screen.findByRole("button", { name: "Restore this release" });
