/** The real platform, for browsers, workers and Node: the only file that touches globals. */

import { attempt } from "./attempt.js";
import type { Channel, HttpAnswer, KeyValueStore, Lifecycle, Platform, Preview } from "./platform.js";

const hasPage = typeof document !== "undefined";

async function* pieces(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function request(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer> {
  // Our own cache is better: the browser's could answer with a body that we have just found broken.
  const answer = await fetch(url, { headers, signal, cache: "no-store", credentials: "omit" });
  return { status: answer.status, header: (name) => answer.headers.get(name), body: pieces(answer.body) };
}

function localStore(): KeyValueStore | undefined {
  // Elsewhere there is no such storage, and Node warns when it is touched.
  if (!hasPage) return undefined;
  const storage = () => globalThis.localStorage;
  return {
    get: (key) => storage().getItem(key),
    set: (key, value) => storage().setItem(key, value),
    remove: (key) => storage().removeItem(key),
    keys: () => Object.keys(storage()),
  };
}

function onLifecycle(listener: (event: Lifecycle) => void): () => void {
  if (!hasPage) return () => {};
  const ended = new AbortController();
  const on = (target: EventTarget, event: string, run: () => void) =>
    target.addEventListener(event, run, { signal: ended.signal });
  on(document, "visibilitychange", () => listener(document.visibilityState === "hidden" ? "hidden" : "visible"));
  on(document, "resume", () => listener("visible"));
  on(window, "online", () => listener("online"));
  on(window, "offline", () => listener("offline"));
  return () => ended.abort();
}

export function locks(): Platform["lock"] {
  const manager = hasPage ? globalThis.navigator?.locks : undefined;
  if (!manager) return undefined;
  return (name, signal, held) => {
    const hold = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", () => resolve());
        held();
      });
    // Where locks exist but may not be used (a sandboxed frame), each tab is its own leader.
    manager.request(name, { signal }, hold).catch(() => {
      if (!signal.aborted) held();
    });
  };
}

export function channels(): Platform["channel"] {
  if (!hasPage || typeof BroadcastChannel === "undefined") return undefined;
  return (name, listener): Channel => {
    const channel = new BroadcastChannel(name);
    channel.onmessage = (event) => listener(event.data);
    return {
      // A closed channel has no listeners.
      post: (message) => void attempt(() => channel.postMessage(message)),
      close: () => channel.close(),
    };
  };
}

const preview: Preview = {
  token(projectId) {
    let token = new URLSearchParams(location.search).get("livery-preview");
    attempt(() => {
      token ??= sessionStorage.getItem(`livery-preview:${projectId}`);
    });
    return token;
  },
  start: (...given) => void import("./preview.js").then(({ startPreview }) => startPreview(...given)).catch(() => {}),
};

export function createPlatform(): Platform {
  return {
    fetch: request,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
    wallClock: () => Date.now(),
    random: () => Math.random(),
    storage: localStore(),
    visible: () => !hasPage || document.visibilityState !== "hidden",
    onLifecycle,
    lock: locks(),
    channel: channels(),
    // biome-ignore lint/suspicious/noConsole: where an app's developer looks; `onWarning` replaces it
    warn: (message) => console.warn(message),
    preview: hasPage ? preview : undefined,
  };
}
