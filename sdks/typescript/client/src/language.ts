/** @livery/client/language: the language of a visitor, kept on the device, and the page in that language. */

import { attempt } from "./attempt.js";
import type { LiveryClient } from "./types.js";

/** What `detectLanguage` and `keepLanguage` take. Give both the same. */
export interface LanguageOptions {
  /** Under which name the device keeps the language that a person chose. Default: `livery-language`. */
  readonly storageKey?: string | undefined;
}

const STORAGE_KEY = "livery-language";

/** `zh-Hant-TW`, `zh-Hant`, `zh`. */
function generalizations(language: string): string[] {
  const parts = language.toLowerCase().split("-");
  return parts.map((_, at) => parts.slice(0, parts.length - at).join("-"));
}

/**
 * Returns the language to begin with, for `createLivery({ language: detectLanguage(["en", "de"]) })`. It is the language that a person chose before (see
 * `keepLanguage`), else the first of the browser's languages that the app has. Undefined stands for the project's default language.
 *
 * `available` has the languages of the app. A browser's `de-AT` finds `de`. It never throws, and finds nothing on a server.
 */
export function detectLanguage(
  available: readonly string[],
  { storageKey = STORAGE_KEY }: LanguageOptions = {},
): string | undefined {
  if (!globalThis.document) return undefined; // Node.js has languages, too: those of the server
  const wished: string[] = [...navigator.languages];
  attempt(() => wished.unshift(localStorage.getItem(storageKey) ?? ""));
  for (const language of wished)
    for (const code of generalizations(language)) {
      const found = available.find((one) => one.toLowerCase() === code);
      if (found) return found;
    }
  return undefined;
}

/**
 * Sets `lang` and `dir` of the page to the language shown, now and after each change. The device keeps the language that a person chooses
 * (`setLanguage`), for `detectLanguage`. Returns a function that ends this.
 */
export function keepLanguage(client: LiveryClient, { storageKey = STORAGE_KEY }: LanguageOptions = {}): () => void {
  let requested = client.requestedLanguage;
  const show = () => {
    const page = globalThis.document?.documentElement;
    if (!page || !client.language) return;
    page.lang = client.language;
    page.dir = client.direction;
  };
  const keep = () => {
    if (client.requestedLanguage === requested) return;
    requested = client.requestedLanguage;
    // A device may refuse to keep anything; the page goes on in the language.
    attempt(() => localStorage.setItem(storageKey, requested));
  };
  show();
  const stops = [client.subscribe(show), client.subscribeState(keep)];
  return () => {
    for (const stop of stops) stop();
  };
}
