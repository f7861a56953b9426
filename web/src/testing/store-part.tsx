/** The page of the store Destinations alone. */
import { screen } from "@testing-library/react";
import { StorePage } from "@/features/stores/store-page";
import type { Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { aStore, languages } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";
import { bergen, type Changes, ITEMS, type Item, lofoten, oslo, STORE, type Store } from "@/testing/stores";

export const renderStore = (project: Partial<Project> = {}) =>
  renderInProject(<StorePage />, project, { at: "stores/destinations", pattern: "stores/:apiIdentifier" });

export async function openStore(
  items: Item[] = [lofoten, oslo, bergen],
  project: Partial<Project> = {},
  store: Store = aStore(),
) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", STORE, store), answer("get", ITEMS, items));
  const opened = renderStore(project);
  await screen.findByRole("heading", { name: store.name });
  return opened;
}

export const price = (old: number, next: number): Changes => ({
  total: 1,
  values: [{ field: "price", type: "Number", language: null, old, new: next }],
});
