/** The unpublished changes of a project. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Diff } from "@/lib/diff";
import { writesSettled } from "@/lib/project";
import { keys } from "@/lib/queries";

const PATH = "/api/projects/{projectId}/diff";

/** Read again whenever the review opens, after the edits under way were answered, and while it is open to learn of changes. */
export function diffQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), PATH] as const,
    queryFn: async ({ signal }) => {
      await writesSettled(projectId);
      return read(projectId, [], signal);
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** The changes with all of one section (`screen/{name}`, `store/{apiIdentifier}`), for a question about discarding some of them. */
export function discardQuery(projectId: string, section: string | undefined) {
  return queryOptions({
    queryKey: [...keys.project(projectId), PATH, "discard", section ?? ""] as const,
    queryFn: async ({ signal }) => {
      await writesSettled(projectId);
      return read(projectId, section === undefined ? [] : [section], signal);
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
}

/** The changes, with all of these sections. */
export const fetchWhole = (projectId: string, whole: string[]): Promise<Diff> => read(projectId, whole);

function read(projectId: string, whole: string[], signal?: AbortSignal): Promise<Diff> {
  const params = { path: { projectId }, ...(whole.length > 0 ? { query: { whole } } : {}) };
  return take(api.GET(PATH, { params, ...(signal === undefined ? {} : { signal }) }));
}

/** The present diff that a refusal for a stale one carries; undefined for any other body. */
export function presentDiff(body: unknown): Diff | undefined {
  if (typeof body !== "object" || body === null || !("diff" in body)) return undefined;
  const { diff } = body;
  const isDiff =
    typeof diff === "object" && diff !== null && "token" in diff && "screens" in diff && "warnings" in diff;
  return isDiff ? (diff as Diff) : undefined;
}
