/** How long to pause after each kind of failure. Pure: time and chance come from outside. */

import { pause } from "./pause.js";

/**
 * - `transient`: network, timeout, 5xx, 408, 429, and any 4xx that is not Livery's own: soon again
 * - `refused`: 401, 402, 403, 404: the key or plan must change first
 * - `gone`: 410, the project was deleted
 * - `unsuitable`: any other 4xx: our request is wrong, and will be next time
 */
export type Failure = "transient" | "refused" | "gone" | "unsuitable";

export const MAX_WAIT_MS = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * 3_600_000;

/** An ingress without a server behind it answers 404 or 403 for some seconds. Only an answer of Livery itself (`problem`) is a refusal. */
export function classify({ status, problem }: { status: number; problem?: object | undefined }): Failure {
  if (!problem) return "transient";
  if (status === 410) return "gone";
  if (status >= 401 && status <= 404) return "refused";
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return "unsuitable";
  return "transient";
}

/**
 * Milliseconds of a `Retry-After` in seconds, at most an hour. The date form is not read: it would compare the device's
 * clock with the server's.
 */
export function parseRetryAfter(header: string | null): number | undefined {
  const value = header?.trim() ?? "";
  return /^\d{1,15}$/.test(value) ? Math.min(Number(value) * 1000, MAX_WAIT_MS) : undefined;
}

export class Backoff {
  #failures = 0;
  #refusals = 0;
  constructor(readonly random: () => number) {}

  get failures(): number {
    return this.#failures;
  }

  reset(): void {
    this.#failures = 0;
    this.#refusals = 0;
  }

  /** The delay after a failure, in ms. A server's `Retry-After` is never undercut, and spread by a quarter. */
  fail(failure: Failure, retryAfterMs?: number): number {
    const wait = this.#wait(failure);
    return retryAfterMs === undefined ? wait : Math.max(wait, retryAfterMs * (1 + this.random() / 4));
  }

  /**
   * The delay after the loss of a stream that had worked. The first delay is spread over `spreadMs`: all clients of a
   * server lose the stream in the same moment. With 9 s, all of them have it again within 10 s. Losses that soon follow
   * back off like any failure.
   */
  lost(spreadMs = 9_000): number {
    const spread = this.random() * Math.min(Math.max(spreadMs, 0), MAX_WAIT_MS);
    if (this.#failures === 0) {
      this.#failures = 1;
      return spread;
    }
    return Math.max(spread, this.fail("transient"));
  }

  #wait(failure: Failure): number {
    switch (failure) {
      case "transient":
        return pause(this.#failures++, this.random());
      case "refused":
        return Math.min(5 * MINUTE * 2 ** Math.min(this.#refusals++, 10), MAX_WAIT_MS) * (0.5 + this.random() / 2);
      case "gone":
        return DAY * (1 + this.random() / 10);
      case "unsuitable":
        return MAX_WAIT_MS * (1 + this.random() / 10);
    }
  }
}
