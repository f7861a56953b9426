/** Whether a connection reads whole contents from a CDN: if the app has its address, until the first failure, and never for drafts. */

import type { ContentAnswer, Endpoint } from "./requests.js";

export class Cdn {
  #isOff: boolean;

  constructor(
    readonly endpoint: Endpoint,
    readonly warn: (message: string) => void,
  ) {
    this.#isOff = !endpoint.contentUrl || endpoint.preview !== undefined;
  }

  /**
   * Returns content that is newer than `version` and not older than `wanted`. Undefined where the server must be asked. Never rejects.
   *
   * With `isWhole`, the content at hand is to be replaced whatever its version, which only the server can do if the CDN has nothing newer.
   */
  async read(
    version: string | undefined,
    wanted: string | undefined,
    isWhole: boolean,
    signal: AbortSignal,
  ): Promise<ContentAnswer | undefined> {
    if (this.#isOff) return undefined;
    try {
      const { getCopy } = await import("./copies.js");
      const copy = await getCopy(this.endpoint, { version, wanted }, signal);
      return copy?.status === 304 && isWhole ? undefined : copy;
    } catch (error) {
      if (!signal.aborted) {
        this.#isOff = true;
        this.warn(`the content is read from the server, since the CDN failed: ${String(error)}`);
      }
      return undefined;
    }
  }
}
