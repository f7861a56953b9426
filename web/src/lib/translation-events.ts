/**
 * The window event `translationsUpdated`, which the specification names for tools beside the dashboard. The dashboard
 * does not listen to it. This file alone announces it: the answers of the API show what has changed.
 */
import type { Query, QueryClient } from "@tanstack/react-query";
import type { Middleware } from "openapi-fetch";
import type { paths } from "@/api.gen";
import { api } from "./api";
import type { Read, ReadPath } from "./query";

const TEXTS = "__UNPUBLISHED__";
const COLORS = "__UNPUBLISHED_COLORS__";
const ROLLED_BACK_COLORS = "colors";
const ALL = "__ALL__";

type ContentPath = keyof paths & (`/api/translations/{projectId}/${string}` | `/api/colors/{projectId}${string}`);
type ReadOnly = { post?: never; put?: never; patch?: never; delete?: never };
/** A path that writes texts or colours. Each needs a line below: without the line, the table has a type error. */
type ContentWrite = { [Path in ContentPath]: paths[Path] extends ReadOnly ? never : Path }[ContentPath];

/** What changes with each write, by the path of the API. */
export const CHANGES = {
  "/api/translations/{projectId}/{tabName}": [TEXTS],
  "/api/translations/{projectId}/{tabName}/{key}": [TEXTS],
  // The job may begin with a new language.
  "/api/translations/{projectId}/{tabName}/{lang}/auto-translate": [TEXTS],
  "/api/translations/{projectId}/{tabName}/rollback/{versionId}": [TEXTS],
  "/api/translations/{projectId}/{tabName}/translate-key": [TEXTS],
  "/api/translations/{projectId}/publish": [ALL],
  "/api/colors/{projectId}": [COLORS],
  "/api/colors/{projectId}/{key}": [COLORS],
  "/api/colors/{projectId}/rollback/{colorVersionId}": [ROLLED_BACK_COLORS],
  "/api/projects/{projectId}/discard": [TEXTS, COLORS],
  "/api/projects/{projectId}/discard/undo": [TEXTS, COLORS],
  "/api/projects/{projectId}/languages": [TEXTS],
  "/api/projects/{projectId}/languages/{languageCode}": [TEXTS],
  "/api/projects/{projectId}/releases/{releaseNumber}/restore": [ALL],
  "/api/projects/{projectId}/screens/{tabName}": [TEXTS],
} as const satisfies Record<ContentWrite, readonly string[]> & Partial<Record<keyof paths, readonly string[]>>;

const changesOf: Partial<Record<string, readonly string[]>> = CHANGES;

function announce(projectId: string, screen: string): void {
  window.dispatchEvent(new CustomEvent("translationsUpdated", { detail: { projectId, screen } }));
}

const afterWrites: Middleware = {
  onResponse({ request, response, schemaPath, params }) {
    const projectId = params.path?.["projectId"];
    if (request.method === "GET" || !response.ok || typeof projectId !== "string") return;
    for (const screen of changesOf[schemaPath] ?? []) announce(projectId, screen);
  },
};

const JOBS = "/api/projects/{projectId}/jobs" satisfies ReadPath;

/** The jobs that a query of the cache has. */
function jobsIn({ queryKey, state }: Query): Read<typeof JOBS>["jobs"] {
  const answer = queryKey[0] === JOBS ? (state.data as Read<typeof JOBS> | undefined) : undefined;
  return answer?.jobs ?? [];
}

/** Announces that AI has written texts. Only the reads of its job show that. */
function followJobs(client: QueryClient): () => void {
  const seen = new Map<string, number>();
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated") return;
    const projects = new Set<string>();
    for (const { _id, projectId, done } of jobsIn(query)) {
      if (done > (seen.get(_id) ?? done)) projects.add(projectId);
      seen.set(_id, done);
    }
    for (const projectId of projects) announce(projectId, TEXTS);
  });
}

/** Announces changes of texts and colours from now on. Returns what ends it. */
export function announceTranslations(client: QueryClient): () => void {
  api.use(afterWrites);
  const stop = followJobs(client);
  return () => {
    api.eject(afterWrites);
    stop();
  };
}
