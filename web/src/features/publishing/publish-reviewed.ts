/** The diff that a review shows: it stays as it is, whatever changes meanwhile, until the person asks for another one. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { useWholeLists, type WholeLists } from "@/lib/use-whole-lists";
import { diffQuery, fetchWhole } from "./queries";

/** What was pressed for the diff before must not publish the one that has just taken its place. */
const SETTLE_MS = 1_000;

export interface Reviewed {
  /** What the person looks at. */
  diff: Diff | undefined;
  /** Something else waits by now. */
  isOutdated: boolean;
  /** It took the place of what the review opened with. */
  isRenewed: boolean;
  /** It has been there for less than a second. */
  isSettling: boolean;
  error: Error | null;
  retry: () => void;
  /** The way to all of its long lists. */
  whole: WholeLists;
  /** Shows what waits now, as the server just said or as was last heard. */
  renew: (present?: Diff) => void;
}

export function useReviewed(project: Project): Reviewed {
  const { projectId } = project;
  const client = useQueryClient();
  const query = useQuery(diffQuery(projectId));
  const [diff, setDiff] = useState<Diff>();
  const [isRenewed, setRenewed] = useState(false);
  const [settling, setSettling] = useState<Diff | null>(null);
  if (diff === undefined && query.data !== undefined && !query.isFetching) setDiff(query.data);

  useEffect(() => {
    if (settling === null) return;
    const timer = setTimeout(() => setSettling(null), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [settling]);

  // Where live events don't come through, the project's counts tell of changes.
  const counts = JSON.stringify([project.release, project.unpublished]);
  const countsSeen = useRef(counts);
  const { refetch } = query;
  useEffect(() => {
    if (counts === countsSeen.current) return;
    countsSeen.current = counts;
    void refetch();
  }, [counts, refetch]);

  const whole = useWholeLists(
    diff?.token,
    (sections) => fetchWhole(projectId, sections),
    (present) => {
      if (present.token === diff?.token) setDiff(present);
      // Something else waits by now.
      else client.setQueryData(diffQuery(projectId).queryKey, present);
    },
  );

  return {
    diff,
    whole,
    isOutdated: diff !== undefined && query.data !== undefined && query.data.token !== diff.token,
    isRenewed,
    isSettling: settling !== null,
    error: query.data === undefined ? query.error : null,
    retry: () => void refetch(),
    renew: (present) => {
      const next = present ?? query.data;
      if (next === undefined) return;
      if (present !== undefined) client.setQueryData(diffQuery(projectId).queryKey, present);
      setDiff(next);
      setRenewed(true);
      setSettling(next);
    },
  };
}
