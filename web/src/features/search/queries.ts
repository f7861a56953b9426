/** The search across the screens of a project. */
import { keepPreviousData } from "@tanstack/react-query";
import type { Answer } from "@/lib/api-types";
import { writesSettled } from "@/lib/project";
import { apiQuery } from "@/lib/query";

export type SearchResult = Answer<"/api/translations/{projectId}/search", "get">["results"][number];

/** An answer that nobody waits for any more is not read: the call ends with the query that asked for it. */
export const searchQuery = (projectId: string, query: string) =>
  apiQuery(
    "/api/translations/{projectId}/search",
    { path: { projectId }, query: { q: query } },
    {
      after: () => writesSettled(projectId),
      enabled: query !== "",
      placeholderData: keepPreviousData,
      gcTime: 0,
      staleTime: 0,
      refetchOnWindowFocus: false,
    },
  );
