/** What the settings know of a person's second factors. Apart from the other queries: the page begins without it. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";

export type SecondFactors = Answer<"/api/user/second-factors", "get">;
export type Passkey = SecondFactors["passkeys"][number];

/** What a dialog of the section is about. */
export type Change =
  | { kind: "set-up-app" | "remove-app" | "add-passkey" | "new-codes" }
  | { kind: "rename-passkey" | "remove-passkey"; passkey: Passkey };

export const secondFactorsQuery = queryOptions({
  queryKey: ["/api/user/second-factors"] as const,
  queryFn: async ({ signal }) => take(api.GET("/api/user/second-factors", { signal })),
});
