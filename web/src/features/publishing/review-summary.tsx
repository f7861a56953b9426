/** The sentences over a review: what a publish does, and what its lists do not show. */
import { Link } from "react-router";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { localZone } from "@/lib/instant";
import { shortInstant } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Text } from "@/ui/parts";
import type { Selection } from "./use-selection";

/** The server lists so many changes of a screen or store. */
const LISTED = 200;

export function ReviewSummary({
  project,
  diff,
  selection,
  onLeave,
}: {
  project: Project;
  diff: Diff;
  selection: Selection;
  onLeave: () => void;
}) {
  const now = useNow();
  const at = project.scheduledFor === null ? null : new Date(project.scheduledFor).getTime();
  return (
    <Text tone="ink-2">
      {sentenceOf(diff, selection.whole.kept > 0)}
      {selection.review.hidden > 0 && ` ${shortenedWords(selection)}`}
      {at !== null && ` Also scheduled for ${at > now ? shortInstant(at, now, localZone()) : "now"}.`}
      {!diff.isFirst && (
        <>
          {" "}
          <Link to={`/projects/${project.projectId}/releases`} onClick={onLeave}>
            See all releases
          </Link>
        </>
      )}
    </Text>
  );
}

function sentenceOf({ isFirst, total, release }: Diff, isPart: boolean): string {
  if (isFirst) {
    if (total === 0)
      return "This is the first publish. There is nothing to show yet: your apps get an empty release 1, and what you add later with the next publish.";
    return isPart
      ? "This is the first publish: your apps get what is selected below, as release 1."
      : "This is the first publish: your apps get everything below, as release 1.";
  }
  if (total === 0) return "There is nothing new to publish. Your apps already have everything.";
  return isPart
    ? `Your apps get what is selected as release ${release + 1}, all of it at once. The rest stays in the draft.`
    : `Your apps get this as release ${release + 1}, all of it at once.`;
}

function shortenedWords({ whole: { kept, total } }: Selection): string {
  const shown = `Of long lists the first ${LISTED} are shown, with all that needs a check;`;
  return kept === 0
    ? `${shown} this publishes all ${total.toLocaleString("en")} changes.`
    : `${shown} what is not listed is published with the rest of its list, unless the whole list is left out.`;
}
