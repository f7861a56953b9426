/** What only the settings show: keys, sessions and second factors. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";

export type ApiKey = Answer<"/api/user/apikeys", "get">["apikeys"][number];
export type Session = Answer<"/api/user/sessions", "get">["sessions"][number];

/** The current key itself. The server makes it on first ask. */
export const apiKeyQuery = queryOptions({
  queryKey: ["/api/user/apikey"] as const,
  queryFn: async ({ signal }) => (await take(api.GET("/api/user/apikey", { signal }))).apikey,
});

export const apiKeysQuery = queryOptions({
  queryKey: ["/api/user/apikeys"] as const,
  queryFn: async ({ signal }) => (await take(api.GET("/api/user/apikeys", { signal }))).apikeys,
});

export const sessionsQuery = queryOptions({
  queryKey: ["/api/user/sessions"] as const,
  queryFn: async ({ signal }) => (await take(api.GET("/api/user/sessions", { signal }))).sessions,
});
