/** The search across the screens of a project. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { writesSettled } from "@/lib/project";
import { keys } from "@/lib/queries";

export type SearchResult = Answer<"/api/translations/{projectId}/search", "get">["results"][number];

/** The server gives no more. */
export const MOST_RESULTS = 50;
export const LONGEST_QUERY = 200;

/** An answer that nobody waits for any more is not read: the call ends with the query that asked for it. */
export function searchQuery(projectId: string, query: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/translations/{projectId}/search", query] as const,
    queryFn: async ({ signal }) => {
      await writesSettled(projectId);
      return take(
        api.GET("/api/translations/{projectId}/search", {
          params: { path: { projectId }, query: { q: query } },
          signal,
        }),
      );
    },
    enabled: query !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}
