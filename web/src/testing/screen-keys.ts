/** Four keys of a screen, and the parts of the grid that shows them. */

import { screen, within } from "@testing-library/react";
import { aKey } from "./fixtures";

export const cta = aKey("cta_book", { en: "Book now", de: "Buchen" });

export const title = aKey("welcome_title", { en: "Where to next, {name}?", de: "Wohin, {name}?" });

export const saved = aKey("empty_saved", { en: "Nothing saved yet." });

export const help = aKey("help_url", { en: "https://aurora.example/help" });

export const cell = (name: RegExp | string) => screen.getByRole("gridcell", { name });

export const row = (key: string) => screen.getByRole("rowheader", { name: key }).closest<HTMLElement>('[role="row"]');

export const stateOf = (key: string) => {
  const found = row(key);
  if (found === null) throw new Error(`no row of ${key}`);
  return within(found);
};

export const german = (text: string, revision: number) =>
  aKey("cta_book", { en: "Book now", de: text }, { revision, meta: { ...cta.meta, de: changedNow } });

export const changedNow = {
  state: "changed" as const,
  by: "person" as const,
  isConfirmed: false,
  at: "2026-11-20T10:00:00Z",
};
