/** What the settings know of a person's second factors. Apart from the other queries: the page begins without it. */
import type { Answer } from "@/lib/api-types";
import { apiQuery } from "@/lib/query";

export type SecondFactors = Answer<"/api/user/second-factors", "get">;
export type Passkey = SecondFactors["passkeys"][number];

/** What a dialog of the section is about. */
export type Change =
  | { kind: "set-up-app" | "remove-app" | "add-passkey" | "new-codes" }
  | { kind: "rename-passkey" | "remove-passkey"; passkey: Passkey };

export const secondFactorsQuery = apiQuery("/api/user/second-factors", {});
