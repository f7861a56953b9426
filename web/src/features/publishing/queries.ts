/** The unpublished changes of a project. */
import type { Diff } from "@/lib/diff";
import { writesSettled } from "@/lib/project";
import { apiQuery, read } from "@/lib/query";

const PATH = "/api/projects/{projectId}/diff";

const changesOf = (projectId: string, whole: string[] = []) => ({
  path: { projectId },
  ...(whole.length > 0 ? { query: { whole } } : {}),
});

/** Read again whenever the review opens, after the edits under way were answered, and while it is open to learn of changes. */
export const diffQuery = (projectId: string) =>
  apiQuery(PATH, changesOf(projectId), { after: () => writesSettled(projectId), gcTime: 0, staleTime: 0 });

/** The changes with all of one section (`screen/{name}`, `store/{apiIdentifier}`), for a question about discarding some of them. */
export const discardQuery = (projectId: string, section: string | undefined) =>
  apiQuery(PATH, changesOf(projectId, section === undefined ? [] : [section]), {
    // A review that is open goes on to show what it has.
    more: { for: "discard" },
    after: () => writesSettled(projectId),
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });

/** The changes, with all of these sections. */
export const fetchWhole = (projectId: string, whole: string[]): Promise<Diff> =>
  read(PATH, changesOf(projectId, whole));

/** The present diff that a refusal for a stale one carries; undefined for any other body. */
export function presentDiff(body: unknown): Diff | undefined {
  if (typeof body !== "object" || body === null || !("diff" in body)) return undefined;
  const { diff } = body;
  const isDiff =
    typeof diff === "object" && diff !== null && "token" in diff && "screens" in diff && "warnings" in diff;
  return isDiff ? (diff as Diff) : undefined;
}
