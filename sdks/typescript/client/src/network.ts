/** What a client needs once it connects: `parts.ts` loads it. */

import { Announcer, type Audience } from "./announcing.js";
import { withNetwork } from "./browser-network.js";
import { CacheWriter } from "./cache-writer.js";
import type { Holding } from "./holding.js";
import type { Address } from "./requests.js";
import { Session, type SessionHolder } from "./session.js";
import { Taker } from "./taking.js";

/** What a client hears of its connection. */
export interface Watcher extends Audience, Pick<SessionHolder, "attempted" | "statusChanged" | "refused" | "warn"> {}

/** Keeps `holding` up to date until the session is closed. */
export function connect(to: Address, holding: Holding, watcher: Watcher, kind: "stream" | "once"): Session {
  const platform = withNetwork(to.platform);
  const { baseUrl } = to;
  if (baseUrl && !/^(https?:\/)?\//i.test(baseUrl)) {
    watcher.warn(
      "server",
      `the baseUrl "${baseUrl}" has no scheme, so nothing is found there. Write "https://${baseUrl}"`,
    );
  }
  const cache = new CacheWriter(holding.shelf, platform);
  const announcer = new Announcer(platform, watcher);
  const taker = new Taker(holding, cache, (held, language) => announcer.taken(held, language));
  const holder: SessionHolder = {
    ...watcher,
    current: () => holding.latest,
    position: () => ({ version: holding.latest?.content.version, etag: holding.latest?.etag }),
    takeBody: (body, etag) => taker.takeBody(body, etag),
    takePatch: (patch) => taker.takePatch(patch),
    takeFromTab: (content, etag) => taker.takeFromTab(content, etag),
    confirmed: () => announcer.confirmed(),
    flush: () => cache.flush(),
    closed: () => {
      announcer.close();
      cache.flush();
    },
    hold: () => cache.hold(),
    setHold: (milliseconds) => cache.setHold(milliseconds),
  };
  return new Session({ ...to, platform }, holder, kind);
}
