/** What waits to be published. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Diff } from "@/lib/diff";
import { writesSettled } from "@/lib/project";
import { keys } from "@/lib/queries";

/** Asked for anew whenever the review opens, once the edits under way have arrived, and while it is open to learn of changes. */
export function diffQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/projects/{projectId}/diff"] as const,
    queryFn: async ({ signal }) => {
      await writesSettled(projectId);
      return take(api.GET("/api/projects/{projectId}/diff", { params: { path: { projectId } }, signal }));
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** What waits, with all of these sections' changes. */
export const fetchWhole = (projectId: string, whole: string[]): Promise<Diff> =>
  take(api.GET("/api/projects/{projectId}/diff", { params: { path: { projectId }, query: { whole } } }));

/** The present diff that a refusal for a stale one carries; undefined for any other body. */
export function presentDiff(body: unknown): Diff | undefined {
  if (typeof body !== "object" || body === null || !("diff" in body)) return undefined;
  const { diff } = body;
  const isDiff =
    typeof diff === "object" && diff !== null && "token" in diff && "screens" in diff && "warnings" in diff;
  return isDiff ? (diff as Diff) : undefined;
}
