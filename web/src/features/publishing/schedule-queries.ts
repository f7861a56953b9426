/** The scheduled publishes, and what became of earlier publishes. */
import type { Answer } from "@/lib/api-types";
import { apiQuery, listCache } from "@/lib/query";

export type Schedule = Answer<"/api/schedule/project/{projectId}", "get">[number];

const SCHEDULES = "/api/schedule/project/{projectId}";

export const scheduleLists = listCache(SCHEDULES, { list: undefined });

export const schedulesQuery = (projectId: string) =>
  apiQuery(SCHEDULES, { path: { projectId } }, { refetchOnWindowFocus: "always" });
