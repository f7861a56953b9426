/** Time that a test moves or speeds up, however slow the machine is. */
import { act, configure, getConfig } from "@testing-library/react";
import { onTestFinished, vi } from "vitest";

const { setInterval, clearInterval } = globalThis;

/**
 * Lets the clock of the page run twenty times as fast until the test ends. It pauses while the page is busy. For a test in which
 * something happens by itself after a while.
 */
export function hurry(): void {
  vi.useFakeTimers();
  const timer = setInterval(() => {
    // setup.ts brings the real clock back before this timer ends.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(20);
  }, 1);
  // Queries measure their patience by this clock, too: they keep as many real seconds as before.
  const { asyncUtilTimeout } = getConfig();
  configure({ asyncUtilTimeout: 20 * asyncUtilTimeout });
  onTestFinished(() => {
    clearInterval(timer);
    configure({ asyncUtilTimeout });
  });
}

/** So many days of the calendar from now, at this time of day: at any hour, also where clocks are changed between. */
export function inDays(days: number): string {
  const moment = new Date();
  moment.setDate(moment.getDate() + days);
  return moment.toISOString();
}

/**
 * Holds all timers of exactly this length from now on. Returns a function that ends the timers that were not cleared.
 */
export function holdTimers(ms: number): () => void {
  const held = new Map<unknown, () => void>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const startHeld = (callback: () => void, delay?: number, ...values: []) => {
    if (delay !== ms) return start(callback, delay, ...values);
    // Its name only: by the time that it ends it is not known any more.
    const timer = start(() => {});
    held.set(timer, callback);
    return timer;
  };
  vi.spyOn(globalThis, "setTimeout").mockImplementation(startHeld as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    held.delete(timer);
    stop(timer);
  });
  return () => {
    const due = [...held.values()];
    held.clear();
    act(() => {
      for (const callback of due) callback();
    });
  };
}
