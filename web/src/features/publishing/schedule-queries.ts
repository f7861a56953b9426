/** The publishes that are scheduled, and what became of earlier ones. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { keys } from "@/lib/queries";

export type Schedule = Answer<"/api/schedule/project/{projectId}", "get">[number];

export function schedulesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/schedule/project/{projectId}"] as const,
    queryFn: ({ signal }) =>
      take(api.GET("/api/schedule/project/{projectId}", { params: { path: { projectId } }, signal })),
    refetchOnWindowFocus: "always",
  });
}
