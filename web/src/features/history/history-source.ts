/** What the history panel needs of the thing whose history it shows: a screen, and whatever else has versions like it. */
import type { InfiniteData, QueryKey, UseInfiniteQueryOptions, UseQueryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { writesSettled } from "@/lib/project";

export type VersionPage = Answer<"/api/translations/{projectId}/{tabName}/versions", "get">;
export type Version = VersionPage["versions"][number];

/** What rolling back would do, or what the version itself changed. */
export type Against = "draft" | "previous";

/** The numbers of a comparison; what was compared is the source's to show. */
export interface Comparison {
  version: Version;
  total: number;
  added: number;
  changed: number;
  removed: number;
  /** Languages of the version that the project no longer has. */
  missingLanguages?: readonly string[];
  /** Which draft the version was compared with. */
  token: string | null;
}

export interface RolledBack {
  message: string;
  /** The entry that keeps what was overwritten; null when nothing had to change. */
  kept: Version | null;
  /** Which draft came of it. */
  token: string;
}

/** The words for what the numbers count, and for what a roll back does to it. */
export interface Unit {
  /** `key` */
  one: string;
  many: string;
  /** Follows the number of changes in the list, where `2 keys` could be taken for all keys: `2 changed`. */
  listed?: string;
  /** `1 key gets its former texts` */
  gets: string;
  get: string;
  /** Describes a version without such changes: `It changed no text.` */
  none: string;
}

export interface HistorySource<Diff extends Comparison> {
  /** What the history is of: `home`. */
  name: string;
  /** 'Its history has …' */
  its: "Its" | "Their";
  unit: Unit;
  failures: { list: string; rollBack: string };
  versions: UseInfiniteQueryOptions<VersionPage, Error, InfiniteData<VersionPage>, QueryKey, number | null>;
  comparison: (versionId: string, against: Against) => UseQueryOptions<Diff>;
  /** Shows what differs. */
  Changes: (props: { diff: Diff }) => ReactNode;
  /**
   * Overwrites the draft that `token` names and no other, once the edits under way have arrived, and brings the page up to date.
   * Throws as `take` does.
   */
  rollBack: (version: Version, token: string | null) => Promise<RolledBack>;
}

/** How a comparison is read: once the edits under way have arrived, and again whenever it is shown. */
export const comparing = (projectId: string, against: Against) => ({
  after: () => writesSettled(projectId),
  // The draft changes all the time; what a version changed never does.
  staleTime: against === "draft" ? 0 : Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
});

export const labelOf = (version: Version): string =>
  version.kind === "draft" ? originOf(version) : `Version ${version.versionNumber}`;

/** What made it, in words. */
export function originOf({ kind, release, restored }: Version): string {
  if (kind === "draft")
    return restored === null ? "Draft before roll back" : `Draft before release ${restored} was restored`;
  return restored === null ? `Release ${release}` : `Release ${release} · restored release ${restored}`;
}

/** Whether the draft is not the draft that the person saw: nothing was overwritten. */
export const isStale = (error: unknown): error is ApiError => error instanceof ApiError && error.code === "stale_draft";
