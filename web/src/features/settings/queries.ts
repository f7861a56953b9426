/** What only the settings show: keys, sessions and second factors. */
import type { Answer } from "@/lib/api-types";
import { apiQuery } from "@/lib/query";

export type ApiKey = Answer<"/api/user/apikeys", "get">["apikeys"][number];
export type Session = Answer<"/api/user/sessions", "get">["sessions"][number];

/** The current key itself. The server makes it on first ask. */
export const apiKeyQuery = apiQuery("/api/user/apikey", {}, { select: ({ apikey }) => apikey });

export const apiKeysQuery = apiQuery("/api/user/apikeys", {}, { select: ({ apikeys }) => apikeys });

export const sessionsQuery = apiQuery("/api/user/sessions", {}, { select: ({ sessions }) => sessions });
