/** The open project as its pages see it: what they may do with it, and how they keep its counts fresh. */
import type { QueryClient } from "@tanstack/react-query";
import { useOutletContext } from "react-router";
import type { Project } from "./api-types";
import { invalidate, keep } from "./query";

export type Permission = Project["permissions"][number];

export interface OpenProject {
  project: Project;
  /** Opens the dialog in which a plan is chosen, with one chosen already where `choice` is given. */
  openActivation: (choice?: PlanChoice) => void;
}

export interface PlanChoice {
  tier: string;
  months?: number;
}

/** For pages inside the project's layout, which shows them only once the project is here. */
export const useProject = () => useOutletContext<OpenProject>();

export const may = (project: Pick<Project, "permissions">, permission: Permission) =>
  project.permissions.includes(permission);

/** Why a control is off for a role that lacks the permission. */
export const refusals = {
  edit: "Viewers can't change content. Ask an admin of this project for the editor role.",
  publish: "Viewers can't publish. Ask an admin of this project for the editor role.",
  manage: "Only admins and the owner can change this.",
  assign_credits: "Only admins and the owner can activate a plan.",
  audit: "Only admins and the owner can see the audit log.",
  own: "Only the owner can do this.",
} as const;

export const NO_PLAN =
  "This project does not have an active plan. Please assign credits in Project Settings to publish.";

/** Publishing needs it: the free month or a paid plan whose end is in the future; no end counts as the future. */
export function hasActivePlan(project: Project, now: number): boolean {
  const isPaid = project.plan === "paid" || project.activeTier === "free_starter_month";
  return isPaid && (project.expiresAt === null || new Date(project.expiresAt).getTime() > now);
}

/** At the limits of this plan nobody can upgrade. */
export const isLargestPlan = ({ activeTier }: Project) => activeTier === "pro";

const refreshes = new Map<string, ReturnType<typeof setTimeout>>();

/** Reads the project again shortly, once for many edits: its counts of waiting changes are the server's. */
export function refreshProjectSoon(queryClient: QueryClient, projectId: string): void {
  clearTimeout(refreshes.get(projectId));
  const timer = setTimeout(() => {
    refreshes.delete(projectId);
    void invalidate(queryClient, "/api/projects/{projectId}", { path: { projectId } });
  }, 300);
  refreshes.set(projectId, timer);
}

/** Shows the project of an answer, as `keep` does. */
export function keepProject(
  client: QueryClient,
  projectId: string,
  changed: Project | ((present: Project) => Project),
): void {
  keep(client, "/api/projects/{projectId}", { path: { projectId } }, changed);
}

const writes = new Map<string, Set<Promise<unknown>>>();

/** Notes a write that is under way, so that a review of the draft can wait for it. Gives the same promise back. */
export function trackWrite<Result>(projectId: string, write: Promise<Result>): Promise<Result> {
  const mine = writes.get(projectId) ?? new Set();
  writes.set(projectId, mine);
  mine.add(write);
  const forget = () => mine.delete(write);
  write.then(forget, forget);
  return write;
}

/** Resolves when every write under way has been answered, or after 3 s: a lost connection must not block reading. */
export async function writesSettled(projectId: string): Promise<void> {
  const mine = writes.get(projectId);
  if (mine === undefined || mine.size === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 3_000);
  });
  await Promise.race([Promise.allSettled(mine), patience]);
  clearTimeout(timer);
}
