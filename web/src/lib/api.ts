/**
 * Calls to the dashboard API, typed by its OpenAPI document.
 *
 * `await take(api.GET("/api/projects"))` gives the body or throws: `ApiError` when the server refused (its message is
 * for people), `NetworkError` when no answer of ours came. A refused session token ends the session.
 */

import createClient from "openapi-fetch";
import type { paths } from "@/api.gen";
import { SERVER } from "./base";
import { isRecord } from "./is-record";
import { endSession, sessionToken } from "./session";

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Stable, snake_case; "" when the answer was not ours. */
  readonly code: string;
  /** What is wrong with which field of the payload. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether `message` is the server's; callers show their own text when it is not. */
  readonly hasMessage: boolean;
  readonly body: unknown;
  /** When to try again; null if the server gave no time. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: unknown, retryAfter: string | null = null) {
    const record = isRecord(body) ? body : {};
    const message = typeof record["message"] === "string" ? record["message"] : "";
    super(message === "" ? `The server answered ${status}.` : message);
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : null;
    this.hasMessage = message !== "";
    this.code = typeof record["code"] === "string" ? record["code"] : "";
    this.fields = isRecord(record["fields"])
      ? Object.fromEntries(
          Object.entries(record["fields"]).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
        )
      : {};
  }
}

export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** How long a read may be without an answer. After that its connection is given up, since an answer that is lost never comes. */
const PATIENCE_MS = 30_000;

async function ask(request: Request): Promise<Response> {
  // A write that has no answer may still happen, so that only its person can decide to try again.
  if (request.method !== "GET") return globalThis.fetch(request);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new DOMException("No answer came.", "TimeoutError")), PATIENCE_MS);
  try {
    return await globalThis.fetch(request, { signal: AbortSignal.any([request.signal, silence.signal]) });
  } finally {
    clearTimeout(timer); // the body may take longer: an export is as long as its project
  }
}

// `fetch` is looked up per call, so that a test can stand in for the network.
export const api = createClient<paths>({ baseUrl: SERVER, fetch: ask });

/** Calls without a session: the account forms have no session yet, and page views belong to nobody. */
const NAMELESS: readonly (keyof paths)[] = [
  "/api/auth/login",
  "/api/auth/login/second-factor",
  "/api/auth/login/passkey/options",
  "/api/auth/login/passkey",
  "/api/auth/register",
  "/api/invitations/{token}/register",
  "/api/auth/sso",
  "/api/auth/sso/session",
  "/api/auth/forgot-password",
  "/api/auth/reset-password/{token}",
  "/api/auth/resend-verification",
  "/api/analytics/page-view",
];

api.use({
  onRequest({ request, schemaPath }) {
    const token = sessionToken();
    const isNameless = NAMELESS.some((path) => path === schemaPath);
    if (token !== null && !isNameless) request.headers.set("Authorization", `Bearer ${token}`);
    return request;
  },
  onResponse({ request, response, schemaPath, params }) {
    const projectId = params.path?.["projectId"];
    const isProject = schemaPath === "/api/projects/{projectId}" && request.method === "GET";
    const sent = request.headers.get("Authorization");
    heed(response.status, sent, typeof projectId === "string" && !isProject ? projectId : undefined);
  },
});

/** Notices from the status of an answer that a part of a project is gone, or that the session `sent` with the call has ended. */
export function heed(status: number, sent: string | null, projectId?: string): void {
  if (status === 404 && projectId !== undefined) {
    for (const listener of missListeners) listener(projectId);
  }
  // An answer to a replaced token does not concern the present session.
  if (status === 401 && sent !== null && sent === `Bearer ${sessionToken()}`) endSession("expired");
}

type MissListener = (projectId: string) => void;

const missListeners = new Set<MissListener>();

/** Calls back when something of a project was not found: the project itself may be gone. Returns the unsubscribe function. */
export function onProjectMiss(listener: MissListener): () => void {
  missListeners.add(listener);
  return () => void missListeners.delete(listener);
}

interface Outcome<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/** The body of a successful answer. Throws `ApiError` or `NetworkError`. */
export async function take<Data>(call: Promise<Outcome<Data>>): Promise<NonNullable<Data>> {
  const outcome = await settle(call);
  if (outcome.data === undefined || outcome.data === null) throw new ApiError(outcome.response.status, undefined);
  return outcome.data;
}

/** For calls that answer without a body (204). Throws as `take` does. */
export async function send(call: Promise<Outcome<unknown>>): Promise<void> {
  await settle(call);
}

async function settle<Data>(call: Promise<Outcome<Data>>): Promise<Outcome<Data>> {
  let outcome: Outcome<Data>;
  try {
    outcome = await call;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new NetworkError("The server could not be reached.", { cause });
  }
  if (!outcome.response.ok)
    throw new ApiError(outcome.response.status, outcome.error, outcome.response.headers.get("Retry-After"));
  return outcome;
}

/**
 * Returns what to show a person: the server's message, or `fallback` when the server refused without a message. It is
 * `offline` when no answer came (by default the same as `fallback`).
 */
export function messageOf(error: unknown, fallback: string, offline: string = fallback): string {
  if (error instanceof ApiError) return error.hasMessage ? error.message : fallback;
  return offline;
}

/** Whether no server of ours answered: there is no network, or only a proxy before the server answered. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && !error.hasMessage && error.status > 501);
}

/** As `messageOf`, and what to do about it when the server can't be reached. */
export function failureOf(error: unknown, fallback: string): string {
  const text = messageOf(error, fallback);
  return isUnreachable(error) ? `${text.replace(/\.$/, "")}. The server can't be reached. Please try again.` : text;
}
