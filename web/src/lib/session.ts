/**
 * Who is signed in, as kept in this browser.
 *
 * `authToken` and `user` are in local storage. A sign-in without 'Remember me' is also marked with a session cookie.
 * The cookie is shared by all tabs and dies with the browser. A marked token without its cookie is not a session.
 */
import type { User } from "./api-types";

import { readStored, removeStored, writeStored } from "./storage";

const TOKEN = "authToken";
const USER = "user";
const CURRENT_PROJECT = "currentProjectView";
const PENDING_ACTIVATION = "pendingActivation";
const UNTIL_CLOSED = "authTokenUntilClosed";
const COOKIE = "livery_browser_session";

/** `reset`: a new password ended the session; its page shows so and links to the login. */
export type EndReason = "logout" | "expired" | "reset";
type EndListener = (reason: EndReason) => void;

const listeners = new Set<EndListener>();

function hasMarkerCookie(): boolean {
  return document.cookie.split("; ").includes(`${COOKIE}=1`);
}

function forget(): void {
  for (const key of [TOKEN, USER, CURRENT_PROJECT, PENDING_ACTIVATION, UNTIL_CLOSED]) removeStored(key);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
  document.cookie = `${COOKIE}=; Path=/; SameSite=Strict; Max-Age=0`;
}

/** The session token, or null when nobody is signed in. */
export function sessionToken(): string | null {
  const token = readStored(TOKEN);
  if (token === null || token === "") return null;
  if (readStored(UNTIL_CLOSED) !== null && !hasMarkerCookie()) {
    forget();
    return null;
  }
  return token;
}

export function startSession(token: string, user: User, { remember }: { remember: boolean }): void {
  forget();
  if (!remember) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
    document.cookie = `${COOKIE}=1; Path=/; SameSite=Strict`;
    writeStored(UNTIL_CLOSED, "1");
  }
  writeStored(TOKEN, token);
  storeUser(user);
}

/** Keeps the fresh record of the signed-in user; an answer that comes after the session's end leaves no trace. */
export function storeUser(user: User): void {
  if (sessionToken() === null) return;
  writeStored(USER, JSON.stringify(user));
}

/** The user as last seen: something to show while the fresh answer is on its way. */
export function storedUser(): User | undefined {
  try {
    const value: unknown = JSON.parse(readStored(USER) ?? "null");
    if (value !== null && typeof value === "object" && "name" in value && "email" in value) return value as User;
  } catch {
    // A broken entry counts as no entry.
  }
  return undefined;
}

/** Forgets token, user and current project. Does nothing when no session is stored. */
export function endSession(reason: EndReason): void {
  if (readStored(TOKEN) === null) return;
  forget();
  for (const listener of listeners) listener(reason);
}

/** Calls back when the session ends here, or in another tab of this browser. Returns the unsubscribe function. */
export function onSessionEnd(listener: EndListener): () => void {
  const onStorage = (event: StorageEvent) => {
    if ((event.key === TOKEN && event.newValue === null) || event.key === null) listener("logout");
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

/** Remembers which project is open (spec key `currentProjectView`); null forgets it. */
export function storeCurrentProject(project: { id: string; name: string } | null): void {
  if (project === null) removeStored(CURRENT_PROJECT);
  else writeStored(CURRENT_PROJECT, JSON.stringify(project));
}
