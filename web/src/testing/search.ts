/** Search results, and the parts of the search dialog. */

import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { SearchResult } from "@/features/search/queries";

export function aResult(values: Partial<SearchResult> = {}): SearchResult {
  return { tabName: "home", key: "title", value: "Hello", language: "en", matchType: "value", ...values };
}

export async function openSearch(user: { keyboard: (keys: string) => Promise<void> }) {
  await screen.findByRole("button", { name: "Search all screens" });
  await user.keyboard("/");
  return screen.findByRole("combobox", { name: "Search keys and texts" });
}

/** Enters the text in one step. Typed key by key on a slow machine, a part of it would be searched for. */
export async function write(user: UserEvent, text: string) {
  const field = screen.getByRole("combobox", { name: "Search keys and texts" });
  await user.clear(field);
  await user.paste(text);
}

export const list = () => screen.getByRole("listbox", { name: "Results" });

export const options = async () =>
  within(await screen.findByRole("listbox", { name: "Results" })).getAllByRole("option");
