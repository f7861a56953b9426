/** The query client, and the reads that more than one feature shows. A query's key is its path and its parameters. */
import { focusManager, QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError, api, take } from "./api";
import type { Answer } from "./api-types";
import { sessionToken, storedUser, storeUser } from "./session";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Without a network a read fails and says so, rather than waiting in silence; it is read again when one is back.
        networkMode: "always",
        refetchOnReconnect: true,
        // A refusal stays a refusal; a lost connection or a stumbling server deserves a second try.
        retry: (failures, error) =>
          navigator.onLine && failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Counts a click into the window as looking at it, too: of two windows side by side both are visible all the time. */
export function followWindowFocus(): void {
  focusManager.setEventListener((onFocus) => {
    const look = () => onFocus();
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  });
}

export const keys = {
  me: ["/api/user/me"] as const,
  activity: ["/api/activity"] as const,
  projects: ["/api/projects"] as const,
  invitations: ["/api/user/invitations"] as const,
  /** Prefix of everything that belongs to one project. */
  project: (projectId: string) => ["/api/projects/{projectId}", projectId] as const,
  languages: ["/api/languages"] as const,
  plans: ["/api/plans"] as const,
};

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }) => {
    const user = await take(api.GET("/api/user/me", { signal }));
    storeUser(user);
    return user;
  },
  placeholderData: () => storedUser(),
});

export const projectsQuery = queryOptions({
  queryKey: keys.projects,
  queryFn: ({ signal }) => take(api.GET("/api/projects", { signal })),
});

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: keys.project(projectId),
    queryFn: ({ signal }) => take(api.GET("/api/projects/{projectId}", { params: { path: { projectId } }, signal })),
    refetchOnWindowFocus: "always",
  });
}

export type KeyRecord = Answer<"/api/translations/{projectId}/{tabName}", "get">["keys"][number];

/** The keys of one screen with their texts in these languages, or in all. The key of the read in all is the prefix of the others'. */
export function screenQuery(projectId: string, screen: string, languages?: readonly string[]) {
  return queryOptions({
    queryKey: [
      ...keys.project(projectId),
      "/api/translations/{projectId}/{tabName}",
      screen,
      ...(languages === undefined ? [] : [languages.join(",")]),
    ] as const,
    queryFn: ({ signal }) =>
      take(
        api.GET("/api/translations/{projectId}/{tabName}", {
          params: {
            path: { projectId, tabName: screen },
            query: languages === undefined ? {} : { lang: [...languages] },
          },
          signal,
        }),
      ),
    refetchOnWindowFocus: "always",
  });
}

export const languagesQuery = queryOptions({
  queryKey: keys.languages,
  queryFn: ({ signal }) => take(api.GET("/api/languages", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const plansQuery = queryOptions({
  queryKey: keys.plans,
  queryFn: ({ signal }) => take(api.GET("/api/plans", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The signed-in user; the one of the last visit until the fresh answer is here. */
export function useMe() {
  return useQuery({ ...meQuery, enabled: sessionToken() !== null });
}
