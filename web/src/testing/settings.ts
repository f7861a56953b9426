/** A person with a session and a key. */

import type { ApiKey, Session } from "@/features/settings/queries";

export const KEY = "lvk_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9";

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

export function aKey(values: Partial<ApiKey> = {}): ApiKey {
  return { _id: "key_1", createdAt: "2026-11-19T10:00:00Z", lastUsedAt: null, hint: "NeR9", current: true, ...values };
}

export function aSession(values: Partial<Session> = {}): Session {
  const at = "2026-11-19T10:00:00Z";
  return { _id: "ses_1", createdAt: at, lastUsedAt: at, userAgent: FIREFOX, current: true, ...values };
}
