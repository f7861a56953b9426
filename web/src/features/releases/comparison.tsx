/** What differs between a release and what it is held against. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { keptBack } from "@/lib/diff";
import { Printed, usePrinting } from "@/lib/printing";
import { DiffView } from "@/ui/diff-view";
import { Row } from "@/ui/parts";
import { ErrorState, LoadingRows } from "@/ui/states";
import { ImageChanges } from "./image-changes";
import { type Against, isNumber, isRefused, type ReleaseDiff, useComparison } from "./queries";
import classes from "./release-detail.module.css";
import { changesOf } from "./words";

const FAILED = "Failed to compare the releases.";

export function Comparison({ project, number, against }: { project: Project; number: number; against: Against }) {
  const { query, diff, whole, loadAll } = useComparison(project.projectId, number, against);
  const isPrinting = usePrinting();
  const printing = useMutation({
    mutationFn: loadAll,
    onError: (error) => toast.error(messageOf(error, "Failed to load all changes for printing.")),
  });
  if (query.isPending) return <LoadingRows rows={5} height={46} label="Loading what differs" />;
  if (diff === undefined) {
    return isRefused(query.error, "release_not_found") ? (
      <ErrorState message={messageOf(query.error, FAILED)} />
    ) : (
      <ErrorState message={messageOf(query.error, FAILED)} onRetry={() => void query.refetch()} />
    );
  }
  return (
    <Printed value={isPrinting}>
      <Row wrap align="center" justify="between" gap={8} gapX={16} pb={14} size="s" tone="ink-2">
        <p>
          {summaryOf(diff, against)}
          {isBounded(diff) && " Of long lists the first 200 changes are shown; the numbers count all."}
        </p>
        {diff.total > 0 && (
          <Button
            size="xs"
            className={classes["print"] ?? ""}
            loading={printing.isPending}
            // A callback of this call: it does not run after the person has gone to a different release.
            onClick={() => printing.mutate(undefined, { onSuccess: () => window.print() })}
          >
            Print all changes
          </Button>
        )}
      </Row>
      <DiffView
        diff={diff}
        project={project}
        whole={whole}
        // From a newer release to an older one nothing has happened.
        hasStamps={!(isNumber(against) && against > number)}
      >
        <ImageChanges images={diff.images} total={diff.imagesTotal} />
      </DiffView>
    </Printed>
  );
}

function summaryOf({ release, total }: ReleaseDiff, against: Against): string {
  if (against === "draft") {
    return total === 0
      ? `The draft is as release ${release}.`
      : `Since release ${release}, with what is not published yet: ${changesOf(total)}.`;
  }
  if (against === "previous") {
    if (total === 0) return "It changed nothing that apps show.";
    return release === 1 ? `The first release: ${changesOf(total)}.` : `It made ${changesOf(total)}.`;
  }
  return total === 0
    ? `Releases ${against} and ${release} have the same content.`
    : `From release ${against} to release ${release}: ${changesOf(total)}.`;
}

/** Whether there is more than what is listed. */
export function isBounded({ screens, stores, colors, colorsTotal, images, imagesTotal }: ReleaseDiff): boolean {
  return (
    colors.length < colorsTotal ||
    images.length < imagesTotal ||
    screens.some(({ keys, total }) => keys.length < total) ||
    stores.some((store) => keptBack(store) > 0)
  );
}
