/** Takes content from the server and from other tabs: checks it, holds it, keeps it on the device. */

import type { CacheWriter } from "./cache-writer.js";
import type { Outcome, Patch } from "./connection.js";
import { readBody } from "./content.js";
import type { Held, Holding } from "./holding.js";
import { patchContent } from "./patches.js";
import { remember, sameContent, shareStructure } from "./sharing.js";
import type { LiveryContent } from "./types.js";
import { order } from "./version.js";

export class Taker {
  constructor(
    readonly holding: Holding,
    readonly cache: CacheWriter,
    /** Hears of new content once it is held. */
    readonly taken: (held: Held, language: string) => void,
  ) {}

  takeBody(body: unknown, etag: string | undefined): Outcome {
    const { latest: before, language, shelf } = this.holding;
    const content = readBody(body, shelf.projectId);
    if (!content) return "broken";
    const standing = order(before?.content.version, content.version);
    if (standing === "older") return "ignored";
    if (standing === "same" && before && sameContent(before.content, content)) {
      if (before.isBundle) this.#take(content, etag);
      else if (before.etag !== etag) {
        this.cache.save(language, { content: before.content, etag });
        before.etag = etag;
      }
      return "ignored";
    }
    if (standing === "same") shelf.warn("diverged", "content differed from the server's at the same version; replaced");
    this.#take(content, etag);
    return "applied";
  }

  takePatch({ from, version, patch, etag }: Patch): Outcome {
    const own = this.holding.latest?.content;
    const standing = order(own?.version, version);
    if (standing === "same" || standing === "older") return "ignored";
    if (!own || from !== own.version) return "mismatch";
    const next = patchContent(own, patch, version);
    if (!next) return "broken";
    this.#take(next, etag);
    return "applied";
  }

  takeFromTab(content: LiveryContent, etag: string | undefined): void {
    const { latest } = this.holding;
    const standing = order(latest?.content.version, content.version);
    if (standing === "newer" || standing === "foreign" || latest?.isBundle) this.#take(content, etag, true);
  }

  #take(content: LiveryContent, etag: string | undefined, isStoredAlready?: boolean): void {
    const { latest, language, memory } = this.holding;
    const held: Held = { content: shareStructure(latest?.content, content), etag, isBundle: false };
    this.holding.latest = held;
    remember(memory, language, held);
    if (!isStoredAlready) this.cache.save(language, { content: held.content, etag });
    this.taken(held, language);
  }
}
