/** Locks that all tabs of the browser share. A browser frees the locks of a tab that closed or crashed. */

/**
 * Calls back once nobody holds the lock, and holds it until the callback is done. Pages without encryption have no locks: there every lock
 * counts as free. The signal withdraws the request for the lock.
 */
export function whenFree(name: string, signal: AbortSignal, callback: () => Promise<void> | void): void {
  if (!("locks" in navigator)) {
    void callback();
    return;
  }
  navigator.locks
    .request(name, { signal }, async () => callback())
    .catch(() => {
      // Given up before it was free.
    });
}

/** Holds the lock from the moment it is free until the signal. */
export function hold(name: string, signal: AbortSignal): void {
  whenFree(name, signal, () => {
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  });
}
