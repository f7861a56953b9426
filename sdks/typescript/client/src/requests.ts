/** The calls of the delivery API, as plain functions over the platform: no state, no retries. */

import { isObject } from "./content.js";
import type { Cancel, HttpAnswer, Platform, Surroundings } from "./platform.js";
import { EventParser, type ServerEvent } from "./sse.js";

/** Where to ask. */
export interface Address {
  readonly platform: Surroundings;
  readonly baseUrl: string;
  readonly projectId: string;
  readonly key: string;
  readonly language: string;
  /** The token of a preview link: the draft in place of the release. */
  readonly preview?: string | undefined;
  /** Where a CDN has copies of the project's releases. */
  readonly contentUrl?: string | undefined;
}

export interface Endpoint extends Address {
  readonly platform: Platform;
}

/** How long a server may take until it answers, and how long its body may pause. */
interface Patience {
  readonly answerMs: number;
  readonly silenceMs: number;
}

const CONTENT: Patience = { answerMs: 10_000, silenceMs: 10_000 };
const PAGE: Patience = { answerMs: 30_000, silenceMs: 10_000 };
const STREAM: Patience = { answerMs: 10_000, silenceMs: 60_000 };
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Two chunks of 10 MB each. */
const MAX_PAGE_BYTES = 2 * MAX_BODY_BYTES;
const MAX_PROBLEM_BYTES = 64 * 1024;

/** What Livery's own error answers have. Without it, a 4xx comes from a proxy or a different server at the address. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

export interface ContentAnswer {
  readonly status: number;
  readonly problem?: Problem | undefined;
  readonly etag: string | undefined;
  readonly retryAfter: string | null;
  readonly maxAgeMs: number;
  /** The parsed body of a 200. */
  readonly body: unknown;
  /** The platform can't stream. */
  readonly isWhole?: boolean | undefined;
  /** From the CDN, which may be some seconds behind the server. */
  readonly isCopy?: boolean;
}

function url(to: Endpoint, call: string, more: { since?: string | undefined; cursor?: string | undefined }): string {
  const query = new URLSearchParams();
  const { language: lang, preview } = to;
  const all = { lang, ...more, channel: preview && "draft", preview };
  for (const [name, value] of Object.entries(all)) if (value) query.set(name, value);
  const text = query.toString();
  return `${to.baseUrl}/sdk/v1/${encodeURIComponent(to.projectId)}/${call}${text ? `?${text}` : ""}`;
}

function headersOf(to: Endpoint, accept: string): Record<string, string> {
  return { Authorization: `Bearer ${to.key}`, Accept: accept };
}

function maxAge(header: string | null): number {
  const match = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(header ?? "");
  return match ? Math.min(Number(match[1]) * 1000, 3_600_000) : 0;
}

async function readJson(answer: HttpAnswer, most = MAX_BODY_BYTES): Promise<unknown> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for await (const piece of answer.body) {
    size += piece.length;
    if (size > most) throw new Error("body too large");
    text += decoder.decode(piece, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}

/** The body of a 4xx, if it is Livery's. Never rejects. */
async function readProblem(answer: HttpAnswer): Promise<Problem | undefined> {
  if (answer.status < 400 || answer.status >= 500) return undefined;
  try {
    const body = await readJson(answer, MAX_PROBLEM_BYTES);
    if (!isObject(body) || typeof body.code !== "string" || typeof body.message !== "string") return undefined;
    return { code: body.code, message: body.message };
  } catch {
    return undefined;
  }
}

/**
 * Gives the answer to `read`, and frees the connection afterwards. A body may take as long as its bytes arrive. On a slow
 * line, a limit for the whole body would end each attempt at the same place. Rejects on a network failure, where the patience ends, and when `signal` aborts.
 */
export async function request<Result>(
  platform: Platform,
  address: string,
  headers: Record<string, string>,
  { answerMs, silenceMs }: Patience,
  signal: AbortSignal,
  read: (answer: HttpAnswer) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const end = () => abort.abort();
  let cancel: Cancel = () => {};
  const expect = (what: string, within: number) => {
    cancel();
    cancel = platform.after(within, () => abort.abort(new Error(`no ${what} for ${within / 1000} s`)));
  };
  signal.addEventListener("abort", end);
  try {
    if (signal.aborted) throw new Error("aborted");
    expect("answer", answerMs);
    const answer = await platform.fetch(address, headers, abort.signal);
    expect("byte", silenceMs);
    const { status, isWhole = false } = answer;
    const pieces = async function* () {
      for await (const piece of answer.body) {
        expect("byte", silenceMs);
        yield piece;
      }
    };
    return await read({ status, isWhole, header: (name) => answer.header(name), body: pieces() });
  } finally {
    cancel();
    signal.removeEventListener("abort", end);
    // Frees the connection where a body was not read to its end.
    end();
  }
}

/** Rejects as `request` does, and on a 200 whose body is not JSON. */
export async function getContent(
  to: Endpoint,
  known: { etag?: string | undefined; since?: string | undefined },
  signal: AbortSignal,
): Promise<ContentAnswer> {
  const headers = headersOf(to, "application/json");
  if (known.etag) headers["If-None-Match"] = known.etag;
  const address = url(to, "content", { since: known.since });
  return await request(to.platform, address, headers, CONTENT, signal, async (answer) => ({
    status: answer.status,
    problem: await readProblem(answer),
    etag: answer.header("etag") ?? undefined,
    retryAfter: answer.header("retry-after"),
    isWhole: answer.isWhole,
    maxAgeMs: maxAge(answer.header("cache-control")),
    body: answer.status === 200 ? await readJson(answer) : undefined,
  }));
}

export interface PageAnswer {
  readonly status: number;
  readonly problem: Problem | undefined;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** One page of a store's items. Rejects as `getContent` does. */
export async function getPage(
  to: Endpoint,
  store: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const address = url(to, `stores/${encodeURIComponent(store)}`, { cursor });
  return await request(to.platform, address, headersOf(to, "application/json"), PAGE, signal, async (answer) => ({
    status: answer.status,
    problem: await readProblem(answer),
    retryAfter: answer.header("retry-after"),
    body: answer.status === 200 ? await readJson(answer, MAX_PAGE_BYTES) : undefined,
  }));
}

export interface StreamEnd {
  /** 0: the connection failed or broke. */
  readonly status: number;
  readonly problem: Problem | undefined;
  readonly retryAfter: string | null;
  /** The server's `retry:` field, in ms. */
  readonly retry: number | undefined;
}

/** Holds the stream until it ends, in whatever way; never rejects. `onEvent` returning false ends it. */
export async function holdStream(
  to: Endpoint,
  since: { version: string | undefined; resume: boolean },
  signal: AbortSignal,
  onEvent: (event: ServerEvent) => boolean,
): Promise<StreamEnd> {
  const parser = new EventParser();
  const headers = headersOf(to, "text/event-stream");
  if (since.resume && since.version) headers["Last-Event-ID"] = since.version;
  let status = 0;
  let problem: Problem | undefined;
  let retryAfter: string | null = null;
  try {
    const address = url(to, "stream", { since: since.version });
    await request(to.platform, address, headers, STREAM, signal, async (answer) => {
      const isStream = (answer.header("content-type") ?? "").toLowerCase().startsWith("text/event-stream");
      // A page in place of a stream is a proxy's doing, and may pass.
      status = answer.status === 200 && !isStream ? 0 : answer.status;
      retryAfter = answer.header("retry-after");
      problem = await readProblem(answer);
      if (status !== 200) return;
      for await (const piece of answer.body) if (!parser.feed(piece).every(onEvent)) break;
    });
  } catch {
    if (status !== 200) status = 0;
  }
  return { status, problem, retryAfter, retry: parser.retry };
}
