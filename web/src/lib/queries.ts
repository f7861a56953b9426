/** The query client, and the reads that more than one feature shows. A query's key is its path and its parameters. */
import { QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError, api, take } from "./api";
import { sessionToken, storedUser, storeUser } from "./session";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A refusal stays a refusal; a lost connection or a stumbling server deserves a second try.
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}

export const keys = {
  me: ["/api/user/me"] as const,
  activity: ["/api/activity"] as const,
  projects: ["/api/projects"] as const,
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
