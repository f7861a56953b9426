/** The network of the real platform, for browsers, workers and Node: requests, and what tabs share. */

import { attempt } from "./attempt.js";
import type { Channel, HttpAnswer, Network, Platform, Surroundings } from "./platform.js";

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

/** React Native's `fetch` has no streams, and no `arrayBuffer()` in many versions. */
async function* wholeText(answer: FetchAnswer): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(await answer.text());
}

/** What the client uses of an answer of `fetch`. */
export type FetchAnswer = Pick<Response, "status" | "headers" | "body" | "text">;

type Fetch = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal; cache: "no-store"; credentials: "omit" },
) => Promise<FetchAnswer>;

async function request(
  send: Fetch,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  // Our own cache is better: the browser's could answer with a body that we have just found broken.
  const answer = await send(url, { headers, signal, cache: "no-store", credentials: "omit" });
  const isWhole = answer.body === undefined;
  const body = isWhole ? wholeText(answer) : pieces(answer.body);
  return { status: answer.status, header: (name) => answer.headers.get(name), isWhole, body };
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

function hashing(): Platform["digest"] {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return undefined;
  return async (bytes) => {
    const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
}

/** Returns the network of the browser or of Node. A `fetch` of another library may stand for the global function. */
export function createNetwork(fetch?: Fetch): Network {
  return {
    digest: hashing(),
    fetch: (url, headers, signal) => request(fetch ?? globalThis.fetch, url, headers, signal),
    now: () => performance.now(),
    wallClock: () => Date.now(),
    visible: () => !hasPage || document.visibilityState !== "hidden",
    lock: locks(),
    channel: channels(),
  };
}

/** Returns the surroundings with a network. Tests and other runtimes bring their network, everyone else gets that of the browser or Node. */
export function withNetwork(surroundings: Surroundings): Platform {
  return "fetch" in surroundings ? (surroundings as Platform) : { ...createNetwork(), ...surroundings };
}
