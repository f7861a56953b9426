/** The page of the stores alone. */
import { screen } from "@testing-library/react";
import { StoresPage } from "@/features/stores/stores-page";
import type { Answer, Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

export type Store = Answer<"/api/stores/{projectId}", "get">[number];

export const STORES = `/api/stores/${PROJECT_ID}`;

export const renderStores = (project: Partial<Project> = {}) =>
  renderInProject(<StoresPage />, project, { at: "stores", pattern: "stores" });

export async function openStores(stores: Store[] = [aStore()], project: Partial<Project> = {}) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", STORES, stores));
  const opened = renderStores(project);
  await screen.findByText(/^Used: /);
  return opened;
}
