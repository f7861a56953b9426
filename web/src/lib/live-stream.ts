/** Keeps one stream of a project's events open, with the parser and the backoff of the SDK. */
import { Backoff } from "@sdk/backoff";
import { EventParser, type ServerEvent } from "@sdk/sse";
import { ApiError, api, take } from "./api";
import { type LiveEvent, spreadOf } from "./live-events";

export interface StreamHandlers {
  /** The id of the last event that was applied, from which the server goes on. "" begins without such an event. */
  lastId: () => string;
  onEvent: (event: LiveEvent) => void;
  onConnection: (isOpen: boolean) => void;
}

/** The server sends something every 25 s; a connection that is silent for longer is dead, whatever the browser believes. */
const SILENCE_MS = 60_000;

/** Resolves when `signal` is aborted, or when the project or the session is gone. */
export async function followStream(projectId: string, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  const backoff = new Backoff(Math.random);
  while (!signal.aborted) {
    let spreadMs: number | undefined;
    try {
      for await (const event of oneStream(projectId, handlers.lastId(), signal)) {
        if (event.name === "hello") {
          backoff.reset();
          handlers.onConnection(true);
        }
        if (event.name === "bye") spreadMs = spreadOf(event.data);
        else handlers.onEvent(event);
      }
    } catch (error) {
      // The call itself notices the end of the session and of the project (lib/api).
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return handlers.onConnection(false);
    }
    if (signal.aborted) return;
    handlers.onConnection(false);
    await waitOrOnline(spreadMs === undefined ? backoff.fail("transient") : backoff.lost(spreadMs), signal);
  }
}

async function* oneStream(projectId: string, lastId: string, signal: AbortSignal): AsyncGenerator<LiveEvent, void> {
  const attempt = new AbortController();
  const stop = () => attempt.abort();
  let timer = setTimeout(stop, SILENCE_MS);
  const onBytes = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, SILENCE_MS);
  };
  signal.addEventListener("abort", stop);
  window.addEventListener("offline", stop);
  try {
    const headers = { Accept: "text/event-stream", ...(lastId === "" ? {} : { "Last-Event-ID": lastId }) };
    const path = { projectId };
    const call = api.GET("/api/projects/{projectId}/events", {
      params: { path },
      headers,
      parseAs: "stream",
      signal: attempt.signal,
    });
    const reader = (await take(call)).getReader();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      yield* parser.feed(value).flatMap(liveEvents);
    }
  } finally {
    clearTimeout(timer);
    stop();
    signal.removeEventListener("abort", stop);
    window.removeEventListener("offline", stop);
  }
}

/** An event whose data is no JSON is passed over. */
function liveEvents({ type, id, data }: ServerEvent): LiveEvent[] {
  try {
    return [{ name: type, id, data: JSON.parse(data) }];
  } catch {
    return [];
  }
}

/** Waits at most so long; ends early when the network returns. */
function waitOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
