/** The browser around the page: a small screen, and the window events that pass. */
import { onTestFinished, vi } from "vitest";

/** For the rest of the test the screen is 375 px wide. Call it before the page is opened. */
export function onSmallScreen(): void {
  const large = window.matchMedia;
  vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const min = /min-width:\s*(\d+)/.exec(query);
    return { ...large(query), matches: min !== null && Number(min[1]) <= 375 };
  });
}

/** The details of every event of this name from now on, to the test's end. */
export function heard(name: string): unknown[] {
  const details: unknown[] = [];
  const note = (event: Event) => details.push(event instanceof CustomEvent ? event.detail : undefined);
  window.addEventListener(name, note);
  onTestFinished(() => window.removeEventListener(name, note));
  return details;
}

/** Locks as in a browser. Returns what ends the tabs that hold some now. */
export function withLocks(): () => void {
  const held = new Map<string, Promise<unknown>>();
  let end = () => {};
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  const request = (name: string, { signal }: { signal: AbortSignal }, callback: () => Promise<void>) => {
    const before = held.get(name) ?? Promise.resolve();
    const mine = Promise.race([before, gone]).then(() => (signal.aborted ? undefined : callback()));
    held.set(name, mine);
    return mine;
  };
  Object.defineProperty(navigator, "locks", { configurable: true, value: { request } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "locks"));
  return end;
}
