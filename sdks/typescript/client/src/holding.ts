/** The newest content that a client has of its language: from memory, the device, a bundle, the server or a different tab. */

import type { ContentCache, Kept } from "./cache.js";
import { patchContent, readBody, remember, sameContent, shareStructure } from "./content.js";
import type { SessionHolder } from "./session.js";
import type { LiveryContent } from "./types.js";
import { order } from "./version.js";

export interface Held extends Kept {
  etag: string | undefined;
  readonly isBundle: boolean;
}

type Holder = Pick<SessionHolder, "position" | "takeBody" | "takePatch" | "takeFromTab" | "hold" | "setHold">;

/** Its functions need no `this`, so that a session gets them with `...holding`. */
export interface Holding extends Holder {
  /** The newest content of the language; undefined before the first `open`. */
  current(): Held | undefined;
  /** Takes this language from memory, device or bundle: the newest that can be compared, else in this order. */
  open(language: string): Held | undefined;
  /** Forgets every language, and opens the cache again. What is held stays until the next `open`. */
  forget(): void;
}

/** Calls `taken` with new content, once it is held. */
export function createHolding(
  projectId: string,
  bundles: readonly LiveryContent[],
  openCache: () => ContentCache,
  taken: (held: Held, language: string) => void,
  warn: (id: string, message: string) => void,
): Holding {
  const memory = new Map<string, Held>();
  let cache = openCache();
  let language = "";
  let latest: Held | undefined;

  function take(content: LiveryContent, etag: string | undefined, isStoredAlready?: boolean): void {
    const taking = language;
    const held: Held = { content: shareStructure(latest?.content, content), etag: undefined, isBundle: false };
    latest = held;
    remember(memory, taking, held);
    if (!isStoredAlready) cache.save(taking, { content: held.content, etag });
    // Only now: an ETag without its content would earn a 304 for something that is not there.
    held.etag = etag;
    taken(held, taking);
  }

  return {
    current: () => latest,
    open(next) {
      language = next;
      latest = undefined;
      const kept = memory.get(next) ?? cache.load(next);
      const bundle = bundles.find((one) => next === "" || !one.language || one.language === next);
      if (kept && order(kept.content.version, bundle?.version) !== "newer") latest = { ...kept, isBundle: false };
      else if (bundle) latest = { content: bundle, etag: undefined, isBundle: true };
      return latest;
    },
    forget() {
      cache = openCache();
      memory.clear();
    },
    position: () => ({ version: latest?.content.version, etag: latest?.etag }),
    takeBody(body, etag) {
      const content = readBody(body, projectId);
      if (!content) return "broken";
      const before = latest;
      const standing = order(before?.content.version, content.version);
      if (standing === "older") return "ignored";
      if (standing === "same" && before && sameContent(before.content, content)) {
        if (before.isBundle) take(content, etag);
        else if (before.etag !== etag) {
          cache.save(language, { content: before.content, etag });
          before.etag = etag;
        }
        return "ignored";
      }
      if (standing === "same") warn("diverged", "content differed from the server's at the same version; replaced");
      take(content, etag);
      return "applied";
    },
    takePatch({ from, version, patch, etag }) {
      const own = latest?.content;
      const standing = order(own?.version, version);
      if (standing === "same" || standing === "older") return "ignored";
      if (!own || from !== own.version) return "mismatch";
      const next = patchContent(own, patch, version);
      if (!next) return "broken";
      take(next, etag);
      return "applied";
    },
    takeFromTab(content, etag) {
      const standing = order(latest?.content.version, content.version);
      if (standing === "newer" || standing === "foreign" || latest?.isBundle) take(content, etag, true);
    },
    hold: () => cache.hold(),
    setHold: (milliseconds) => cache.setHold(milliseconds),
  };
}
