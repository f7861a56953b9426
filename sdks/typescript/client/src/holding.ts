/** The newest content that a client has of its language: from memory, the device or a bundle. `taking.ts` adds what comes later. */

import { type Kept, readKept, type Shelf } from "./cache.js";
import type { LiveryContent } from "./types.js";
import { order } from "./version.js";

export interface Held extends Kept {
  etag: string | undefined;
  readonly isBundle: boolean;
}

export class Holding {
  /** The newest content of the language; undefined before the first `open`. */
  latest: Held | undefined;
  language = "";
  /** The content of languages shown before, by the language asked for. */
  readonly memory = new Map<string, Held>();

  constructor(
    readonly shelf: Shelf,
    readonly bundles: readonly LiveryContent[],
  ) {}

  /** Takes this language from memory, device or bundle: the newest that can be compared, else in this order. */
  open(language: string): Held | undefined {
    const kept = this.memory.get(language) ?? readKept(this.shelf, language);
    const bundle = this.bundles.find((one) => language === "" || !one.language || one.language === language);
    this.language = language;
    this.latest = undefined;
    if (kept && order(kept.content.version, bundle?.version) !== "newer") this.latest = { ...kept, isBundle: false };
    else if (bundle) this.latest = { content: bundle, etag: undefined, isBundle: true };
    return this.latest;
  }
}
