/** Keeps one stream of a project's events open: comes back after a lost connection with growing, random waits. */
import { ApiError, api, take } from "./api";
import { type LiveEvent, readEvents, spreadOf } from "./live-events";

export interface StreamHandlers {
  /** The id of the last event that was applied, from which the server goes on. "" begins without such an event. */
  lastId: () => string;
  onEvent: (event: LiveEvent) => void;
  onConnection: (isOpen: boolean) => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** The server says something every 25 s; a connection that is silent for longer is dead, whatever the browser believes. */
const SILENCE_MS = 60_000;

/** Resolves when `signal` is aborted, or when the project or the session is gone. */
export async function followStream(projectId: string, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let spreadMs: number | undefined;
    try {
      for await (const event of oneStream(projectId, handlers.lastId(), signal)) {
        if (event.name === "hello") {
          failures = 0;
          handlers.onConnection(true);
        }
        if (event.name === "bye") spreadMs = spreadOf(event.data);
        else handlers.onEvent(event);
      }
    } catch (error) {
      // The session's end and the project's are told by the call itself (lib/api).
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return handlers.onConnection(false);
    }
    if (signal.aborted) return;
    handlers.onConnection(false);
    failures += 1;
    const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
    await waitOrOnline(spreadMs === undefined ? backoffMs : Math.random() * spreadMs, signal);
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
    const body = await take(call);
    yield* readEvents(body, onBytes);
  } finally {
    clearTimeout(timer);
    stop();
    signal.removeEventListener("abort", stop);
    window.removeEventListener("offline", stop);
  }
}

/** Waits; a network that is back ends the wait. */
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
