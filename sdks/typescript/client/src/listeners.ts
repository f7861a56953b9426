/** Sets of callbacks: listeners, which are called on each change, and waiters, which are called once. */

import type { Cancel, Surroundings } from "./platform.js";

type Waiters = Set<(outcome: boolean) => void>;

/** Returns what removes the listener again. */
export function subscribeTo<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Calls every listener; a listener that throws is reported, and keeps no other listener from its call. */
export function tell<Listener>(
  listeners: ReadonlySet<Listener>,
  call: (listener: Listener) => void,
  warn: (id: string, message: string) => void,
): void {
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      warn(`listener:${String(error)}`, `a listener failed: ${String(error)}`);
    }
  }
}

/** Resolves with the outcome that the waiters are settled with, or with false after `milliseconds`. */
export function waitFor(waiters: Waiters, platform: Surroundings, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    let cancel: Cancel = () => {};
    const waiter = (outcome: boolean) => {
      cancel();
      waiters.delete(waiter);
      resolve(outcome);
    };
    waiters.add(waiter);
    cancel = platform.after(milliseconds, () => waiter(false));
  });
}

export function settle(waiters: Waiters, outcome: boolean): void {
  for (const waiter of [...waiters]) waiter(outcome);
}
