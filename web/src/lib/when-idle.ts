const IDLE_BY_MS = 1000;

/** Calls `run` once the browser is idle, and after a second at the latest. Calls it at once in a browser that can't report that (Safari). */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: IDLE_BY_MS });
  else run();
}
