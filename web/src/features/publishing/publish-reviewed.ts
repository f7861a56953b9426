/** The diff that a review shows. It stays the same, whatever colleagues change, until the person asks for the present diff. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { useSettling } from "@/lib/use-settling";
import { useWholeLists, type WholeLists } from "@/lib/use-whole-lists";
import { diffQuery, fetchWhole } from "./queries";

export interface Reviewed {
  /** What the person looks at. */
  diff: Diff | undefined;
  /** The draft or the release is a different one by now. */
  isOutdated: boolean;
  /** The release that made it so; null when edits did. */
  released: number | null;
  /** It is not what the review opened with. */
  isRenewed: boolean;
  /** It has been there for less than a second. */
  isSettling: boolean;
  error: Error | null;
  retry: () => void;
  /** The way to all of its long lists. */
  whole: WholeLists;
  /** Shows the present changes, as the server just answered or as was last read. */
  renew: (present?: Diff) => void;
  /** Reads and shows the present changes, after an act of this person. */
  follow: () => Promise<void>;
}

export function useReviewed(project: Project): Reviewed {
  const { projectId } = project;
  const client = useQueryClient();
  const query = useQuery(diffQuery(projectId));
  const [diff, setDiff] = useState<Diff>();
  const [isRenewed, setRenewed] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const { isSettling, settle } = useSettling();
  if (diff === undefined && query.data !== undefined && !query.isFetching) setDiff(query.data);

  // Where live events don't come through, the project's counts show changes.
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
    (longer) => {
      if (longer.token === diff?.token) setDiff(longer);
      // The draft is a different one by now.
      else client.setQueryData(diffQuery(projectId).queryKey, longer);
    },
  );

  const present = query.data;
  const isOutdated = diff !== undefined && present !== undefined && present.token !== diff.token && !isFollowing;
  return {
    diff,
    whole,
    isOutdated,
    released: isOutdated && present.release > diff.release ? present.release : null,
    isRenewed,
    isSettling: isSettling || isFollowing,
    error: query.data === undefined ? query.error : null,
    retry: () => void refetch(),
    renew: (told) => {
      const next = told ?? present;
      if (next === undefined) return;
      if (told !== undefined) client.setQueryData(diffQuery(projectId).queryKey, told);
      setDiff(next);
      setRenewed(true);
      settle();
    },
    follow: async () => {
      setFollowing(true);
      const { data } = await refetch();
      if (data !== undefined) {
        setDiff(data);
        settle();
      }
      setFollowing(false);
    },
  };
}
