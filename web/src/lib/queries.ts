/** The query client, and the reads that more than one feature shows. */
import { focusManager, QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError } from "./api";
import type { Answer } from "./api-types";
import { apiQuery, read } from "./query";
import { sessionToken, storedUser, storeUser } from "./session";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Without a network a read fails visibly, rather than waiting in silence; it is repeated when the network returns.
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

export const meQuery = queryOptions({
  ...apiQuery("/api/user/me", {}),
  queryFn: async ({ signal }) => {
    const user = await read("/api/user/me", {}, signal);
    storeUser(user);
    return user;
  },
  placeholderData: () => storedUser(),
});

export const projectsQuery = apiQuery("/api/projects", {});

export const projectQuery = (projectId: string) =>
  apiQuery("/api/projects/{projectId}", { path: { projectId } }, { refetchOnWindowFocus: "always" });

export type KeyRecord = Answer<"/api/translations/{projectId}/{tabName}", "get">["keys"][number];

/** The keys of one screen with their texts in these languages. */
export const screenQuery = (projectId: string, screen: string, languages: readonly string[]) =>
  apiQuery(
    "/api/translations/{projectId}/{tabName}",
    { path: { projectId, tabName: screen }, query: { lang: [...languages] } },
    { refetchOnWindowFocus: "always" },
  );

export const languagesQuery = apiQuery("/api/languages", {}, { staleTime: Number.POSITIVE_INFINITY });

export const plansQuery = apiQuery("/api/plans", {}, { staleTime: Number.POSITIVE_INFINITY });

/** The signed-in user; the one of the last visit until the fresh answer is here. */
export function useMe() {
  return useQuery({ ...meQuery, enabled: sessionToken() !== null });
}

/** The Data Stores of a project. */
export const storesQuery = (projectId: string) => apiQuery("/api/stores/{projectId}", { path: { projectId } });

/** The formats that files of texts, colours and items can have. */
export const formatsQuery = apiQuery(
  "/api/formats",
  {},
  { staleTime: Number.POSITIVE_INFINITY, select: ({ formats }) => formats },
);
