/** The real surroundings, for browsers, workers and Node. Only this file and `browser-network.ts` touch globals. */

import { attempt } from "./attempt.js";
import type { KeyValueStore, Lifecycle, Preview, Surroundings } from "./platform.js";

const hasPage = typeof document !== "undefined";

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
  const on = (target: EventTarget, event: string, run: (event: Event) => void) =>
    target.addEventListener(event, run, { signal: ended.signal });
  on(document, "visibilitychange", () => listener(document.visibilityState === "hidden" ? "hidden" : "visible"));
  on(document, "resume", () => listener("visible"));
  on(window, "pagehide", () => listener("left"));
  on(window, "pageshow", (event) => {
    if ((event as PageTransitionEvent).persisted) listener("visible");
  });
  on(window, "online", () => listener("online"));
  on(window, "offline", () => listener("offline"));
  return () => ended.abort();
}

const preview: Preview = {
  token(projectId) {
    let token = new URLSearchParams(location.search).get("livery-preview");
    attempt(() => {
      token ??= sessionStorage.getItem(`livery-preview:${projectId}`);
    });
    return token;
  },
};

export function createPlatform(): Surroundings {
  return {
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
    storage: localStore(),
    onLifecycle,
    // biome-ignore lint/suspicious/noConsole: where an app's developer looks; `onWarning` replaces it
    warn: (message) => console.warn(message),
    preview: hasPage ? preview : undefined,
  };
}
