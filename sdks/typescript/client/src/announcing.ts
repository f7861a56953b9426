/** Announces new content together with the items that somebody watches, so that a page changes once. */

import type { Held } from "./holding.js";
import type { Cancel, Platform } from "./platform.js";
import type { LiveryContent } from "./types.js";

/** Texts are not held up for longer by items: the items follow. */
const PATIENCE_MS = 1_000;

/** Hears of what is to be shown. */
export interface Audience {
  /** New content is held, and is to be shown. */
  taken(held: Held, language: string): void;
  /** Begins to fetch the items that this content brings and somebody watches. With items, `taken` and `confirmed` follow later. */
  prepare(content: LiveryContent): Promise<void>[];
  /** The server has confirmed that what was taken is its latest. */
  confirmed(): void;
}

export class Announcer {
  /** The newest content that is not announced yet. */
  #next: readonly [held: Held, language: string] | undefined;
  #cancel: Cancel | undefined;
  #isConfirmed = false;

  constructor(
    readonly platform: Platform,
    readonly audience: Audience,
  ) {}

  taken(held: Held, language: string): void {
    this.#next = [held, language];
    const items = this.audience.prepare(held.content);
    if (items.length === 0) {
      this.#announce();
      return;
    }
    // Releases that follow each other don't put the first of them off.
    this.#cancel ??= this.platform.after(PATIENCE_MS, () => this.#announce());
    Promise.allSettled(items).then(() => {
      if (this.#next?.[0] === held) this.#announce();
    });
  }

  /** The server has confirmed the newest content, which may be still to be announced. */
  confirmed(): void {
    if (this.#next) this.#isConfirmed = true;
    else this.audience.confirmed();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#next = undefined;
    this.#isConfirmed = false;
  }

  #announce(): void {
    const next = this.#next;
    const isConfirmed = this.#isConfirmed;
    this.close();
    if (next) this.audience.taken(...next);
    if (isConfirmed) this.audience.confirmed();
  }
}
