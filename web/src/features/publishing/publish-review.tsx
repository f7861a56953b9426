/** The inside of the review before a publish: a publish gives apps what was reviewed, without what is left out. */
import { Button } from "@mantine/core";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { ErrorState, LoadingRows } from "@/ui/states";
import { useReviewed } from "./publish-reviewed";
import { OFFLINE, ReviewedChanges } from "./reviewed-changes";

export function PublishReview({
  project,
  onClose,
  onPublished,
  onNoPlan,
}: {
  project: Project;
  onClose: () => void;
  onPublished: () => void;
  onNoPlan: () => void;
}) {
  const reviewed = useReviewed(project);
  const { diff } = reviewed;
  if (diff !== undefined) {
    return (
      <ReviewedChanges
        project={project}
        reviewed={reviewed}
        diff={diff}
        onClose={onClose}
        onPublished={onPublished}
        onNoPlan={onNoPlan}
      />
    );
  }
  if (reviewed.error === null) return <LoadingRows rows={5} height={46} label="Loading the unpublished changes" />;
  return (
    <ErrorState
      message={
        navigator.onLine
          ? messageOf(reviewed.error, "Failed to publish changes.", "Error publishing changes.")
          : OFFLINE
      }
      onRetry={reviewed.retry}
      action={<Button onClick={onClose}>Close</Button>}
    />
  );
}
