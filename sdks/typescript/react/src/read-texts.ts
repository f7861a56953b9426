/** Which texts a component read, and whether one of them has changed since. */

import type { LiveryClient, LiveryReader, PlainTextKey } from "@livery/client";

/** One for each component that calls `useT`. */
export class ReadTexts {
  readonly #client: LiveryClient;
  readonly #texts = new Map<string, string>();
  #language: string;
  #mark: object = {};

  constructor(client: LiveryClient) {
    this.#client = client;
    this.#language = client.language;
  }

  /** Notes a text that the component reads now. */
  note(key: string, reader: LiveryReader): void {
    if (!this.#texts.has(key)) this.#texts.set(key, written(reader, key));
  }

  /** Gives the same object until a text that was noted, or the language, has changed. */
  readonly mark = (): object => {
    const { language } = this.#client;
    let isChanged = language !== this.#language;
    this.#language = language;
    for (const [key, before] of this.#texts) {
      const now = written(this.#client, key);
      if (now !== before) isChanged = true;
      this.#texts.set(key, now);
    }
    if (isChanged) this.#mark = {};
    return this.#mark;
  };
}

/** A text with its placeholders as they are written; the key where there is no text. */
const written = (reader: LiveryReader, key: string): string => reader.t(key as PlainTextKey, undefined, {});
