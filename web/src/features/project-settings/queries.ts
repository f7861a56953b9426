/** What only the project's settings show: usage and the keys of its apps. Both lie under the project's key. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { keys } from "@/lib/queries";

export type Usage = Answer<"/api/projects/{projectId}/usage", "get">;
export type PublishableKey = Answer<"/api/projects/{projectId}/publishable-keys", "get">["keys"][number];

export type ProjectLosses = Answer<"/api/projects/{projectId}/losses", "get">;

const REFRESH_MS = 10_000;

/** Reads the usage again while the page is in view, since apps go on reading. */
export function usageQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/projects/{projectId}/usage"] as const,
    queryFn: ({ signal }) =>
      take(api.GET("/api/projects/{projectId}/usage", { params: { path: { projectId } }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

/** The keys that work, the current one first; for admins and the owner. */
export function publishableKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/projects/{projectId}/publishable-keys"] as const,
    queryFn: async ({ signal }) =>
      (await take(api.GET("/api/projects/{projectId}/publishable-keys", { params: { path: { projectId } }, signal })))
        .keys,
  });
}

/** Counts what deleting a language removes. Each dialog that opens counts again. */
export function languageLossesQuery(projectId: string, languageCode: string) {
  const path = "/api/projects/{projectId}/languages/{languageCode}/losses";
  return queryOptions({
    queryKey: [...keys.project(projectId), path, languageCode] as const,
    queryFn: ({ signal }) => take(api.GET(path, { params: { path: { projectId, languageCode } }, signal })),
    gcTime: 0,
    retry: false,
  });
}

/** Counts what deleting the project removes. Each dialog that opens counts again. */
export function projectLossesQuery(projectId: string) {
  const path = "/api/projects/{projectId}/losses";
  return queryOptions({
    queryKey: [...keys.project(projectId), path] as const,
    queryFn: ({ signal }) => take(api.GET(path, { params: { path: { projectId } }, signal })),
    gcTime: 0,
    retry: false,
  });
}
