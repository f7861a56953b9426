/** Scheduled publishes, on days counted from now. */

import { fireEvent, screen } from "@testing-library/react";
import type { Answer, Project } from "@/lib/api-types";

export type Schedule = Answer<"/api/schedule/project/{projectId}", "get">[number];

export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const pro: Partial<Project> = { hasScheduling: true, activeTier: "pro", tierName: "Pro Tier" };

/** Returns the day that is `days` from now, at this hour of the browser's clock. */
export function day(days: number, hour = 9): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

export const two = (number: number) => String(number).padStart(2, "0");

export const dateOf = (moment: Date) =>
  `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;

export function aSchedule(values: Partial<Schedule> = {}): Schedule {
  return {
    _id: "sch_1",
    publishAt: day(1).toISOString(),
    status: "pending",
    by: "Mara Lindt",
    createdAt: "2026-11-20T10:00:00Z",
    endedAt: null,
    reason: null,
    late: false,
    release: null,
    ...values,
  };
}

export const scheduleButton = () => screen.findByRole("button", { name: "Schedule Publish" });

export const dateField = () => screen.getByLabelText("Publish date");

export const timeField = () => screen.getByLabelText(`Publish time (${zone})`);

export const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
