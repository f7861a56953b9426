/** How a person can log in; only lazy parts of the settings ask. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";

export type Identity = Answer<"/api/user/identities", "get">["identities"][number];

export const identitiesQuery = queryOptions({
  queryKey: ["/api/user/identities"] as const,
  queryFn: ({ signal }) => take(api.GET("/api/user/identities", { signal })),
});
