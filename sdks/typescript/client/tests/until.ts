/** Waits for a state of a client. */

import type { LiveryClient } from "../src/index.js";

/** Resolves when `isTrue`, looking again after each change of content or state. */
export function until(client: LiveryClient, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isTrue()) return;
      for (const stop of stops) stop();
      resolve();
    };
    const stops = [client.subscribe(look), client.subscribeState(look)];
    look();
  });
}
