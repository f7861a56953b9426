/** What only the project's settings show: usage, the keys of its apps, its tokens, and what deletions remove. */
import type { Answer } from "@/lib/api-types";
import { apiQuery } from "@/lib/query";

export type Usage = Answer<"/api/projects/{projectId}/usage", "get">;
export type PublishableKey = Answer<"/api/projects/{projectId}/publishable-keys", "get">["keys"][number];

export type ProjectToken = Answer<"/api/projects/{projectId}/tokens", "get">["tokens"][number];

export type ProjectLosses = Answer<"/api/projects/{projectId}/losses", "get">;

const REFRESH_MS = 10_000;

/** Reads the usage again while the page is in view, since apps go on reading. */
export const usageQuery = (projectId: string) =>
  apiQuery("/api/projects/{projectId}/usage", { path: { projectId } }, { refetchInterval: REFRESH_MS });

/** The keys that work, the current one first; for admins and the owner. */
export const publishableKeysQuery = (projectId: string) =>
  apiQuery("/api/projects/{projectId}/publishable-keys", { path: { projectId } }, { select: ({ keys }) => keys });

/** The project tokens that work, the newest first; for admins and the owner. */
export const tokensQuery = (projectId: string) =>
  apiQuery("/api/projects/{projectId}/tokens", { path: { projectId } }, { select: ({ tokens }) => tokens });

/** Each dialog that opens counts again. */
const counting = { gcTime: 0, retry: false } as const;

/** Counts what deleting a language removes. */
export const languageLossesQuery = (projectId: string, languageCode: string) =>
  apiQuery(
    "/api/projects/{projectId}/languages/{languageCode}/losses",
    { path: { projectId, languageCode } },
    counting,
  );

/** Counts what deleting the project removes. */
export const projectLossesQuery = (projectId: string) =>
  apiQuery("/api/projects/{projectId}/losses", { path: { projectId } }, counting);
