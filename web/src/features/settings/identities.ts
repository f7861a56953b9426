/** How a person can log in; only lazy parts of the settings ask. */
import type { Answer } from "@/lib/api-types";
import { apiQuery } from "@/lib/query";

export type Identity = Answer<"/api/user/identities", "get">["identities"][number];

export const identitiesQuery = apiQuery("/api/user/identities", {});
