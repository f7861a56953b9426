/** The releases of a project: the list, what differs between two of them, and the restore of a release. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { ApiError, api, messageOf, NetworkError, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { keptBack } from "@/lib/diff";
import { writesSettled } from "@/lib/project";
import { apiPages, apiQuery, invalidateProject, read } from "@/lib/query";
import { useWholeLists } from "@/lib/use-whole-lists";
import { announce } from "@/lib/window-events";

const LIST = "/api/projects/{projectId}/releases";
const DIFF = `${LIST}/{releaseNumber}/diff` as const;

export type Release = Answer<typeof LIST, "get">["releases"][number];
export type ReleaseDiff = Answer<typeof DIFF, "get">;
export type ImageChange = ReleaseDiff["images"][number];
export type RestorePreview = Answer<`${typeof LIST}/{releaseNumber}/restore`, "get">;
export type Restored = Answer<`${typeof LIST}/{releaseNumber}/restore`, "post">;

/**
 * What a release is compared with: the release before it, a different release, or the draft. The draft is the newer
 * side.
 */
export type Against = "previous" | "draft" | number;

export const releasesQuery = (projectId: string) =>
  apiPages(LIST, { path: { projectId } }, { next: ({ nextCursor }) => nextCursor });

/** One release, as for an address that leads to an old release; null if it does not exist. */
export const releaseQuery = (projectId: string, number: number) =>
  apiQuery(
    LIST,
    { path: { projectId }, query: { cursor: number + 1, limit: 1 } },
    { select: ({ releases }) => releases.find((release) => release.number === number) ?? null },
  );

/** The parameters of a comparison, in which these sections are whole. */
const comparing = (projectId: string, releaseNumber: number, against: Against, whole?: string[]) => ({
  path: { projectId, releaseNumber },
  query: { against, ...(whole && { whole }) },
});

export const comparisonQuery = (projectId: string, releaseNumber: number, against: Against) =>
  apiQuery(DIFF, comparing(projectId, releaseNumber, against), {
    after: async () => {
      if (against === "draft") await writesSettled(projectId);
    },
    // The draft changes all the time; what differs between two releases never does.
    staleTime: against === "draft" ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: against === "draft",
  });

/** What a restore concerns. */
export type Reach = "apps" | "draft";

/** What a restore would do, for a person who saw apps with the release `seen` and so many unpublished changes. */
export function restorePreviewQuery(
  projectId: string,
  releaseNumber: number,
  reach: Reach,
  seen: number,
  unpublished: number,
) {
  return apiQuery(
    `${LIST}/{releaseNumber}/restore`,
    { path: { projectId, releaseNumber }, query: { draft: reach === "draft" } },
    { more: { seen, unpublished }, after: () => writesSettled(projectId), gcTime: 0, retry: false },
  );
}

/** What differs, and the way to all of its long lists. */
export function useComparison(projectId: string, releaseNumber: number, against: Against) {
  const query = useQuery(comparisonQuery(projectId, releaseNumber, against));
  const [longer, setLonger] = useState<{ of: ReleaseDiff | undefined; diff: ReleaseDiff } | null>(null);
  const whole = useWholeLists(
    query.data,
    (sections) => read(DIFF, comparing(projectId, releaseNumber, against, sections)),
    (diff) => {
      if (diff.release === releaseNumber && diff.against === against) setLonger({ of: query.data, diff });
    },
  );
  /** Fetches the rest of all long lists, as for paper. */
  const loadAll = async () => {
    if (query.data === undefined) return;
    const { screens, stores } = query.data;
    const sections = [
      ...screens.filter(({ keys: listed, total }) => listed.length < total).map(({ screen }) => `screen/${screen}`),
      ...stores.filter((store) => keptBack(store) > 0).map(({ store }) => `store/${store}`),
    ];
    if (sections.length === 0) return;
    const diff = await read(DIFF, comparing(projectId, releaseNumber, against, sections));
    flushSync(() => setLonger({ of: query.data, diff }));
  };
  // If the draft has changed since, only the short lists are right.
  return { query, diff: longer !== null && longer.of === query.data ? longer.diff : query.data, whole, loadAll };
}

/** `seen` is the release that apps had when the person looked at what would change. */
interface Restoring {
  release: number;
  seen: number;
  reach: Reach;
  /** The restore that this restore undoes: the changes that it took from the draft return. */
  undo?: { release: number; keptAt: string } | undefined;
}

/**
 * Gives apps a former release again, once the edits under way have arrived, and brings every page up to date. It does so also after
 * a refusal because of another release, before the caller hears of the refusal.
 */
export function useRestore(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ release, seen, reach, undo }: Restoring): Promise<Restored> => {
      await writesSettled(projectId);
      const body = { expected: seen, draft: reach === "draft", ...(undo === undefined ? {} : { undo }) };
      const path = { projectId, releaseNumber: release };
      return take(api.POST(`${LIST}/{releaseNumber}/restore`, { params: { path }, body }));
    },
    onError: async (error) => {
      if (isStale(error)) await invalidateProject(client, projectId);
    },
    onSuccess: () => {
      announce("projectUpdated", { projectId });
      void invalidateProject(client, projectId);
    },
  });
}

export const OFFLINE = "You are offline. Nothing was restored.";

/**
 * `wasOffline`: before the call was made. If the connection breaks during the call, nobody knows whether the call
 * arrived.
 */
export function failureOf(error: unknown, wasOffline: boolean): string {
  if (wasOffline && error instanceof NetworkError) return OFFLINE;
  return messageOf(
    error,
    "Failed to restore the release.",
    "The release may not have been restored. Please try again.",
  );
}

export const isRefused = (error: unknown, code: string) => error instanceof ApiError && error.code === code;

/** Whether another release was published since the person looked. */
export const isStale = (error: unknown) => isRefused(error, "stale_release");

export const isNumber = (against: Against): against is number => typeof against === "number";
