/** Asks before apps get a former release again: what happens, and what differs from what they have now. */
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useAttempt } from "@/lib/use-attempt";
import { dialogFooter, paddedFrame } from "@/ui/dialog-frame";
import { DiffView } from "@/ui/diff-view";
import { Notice } from "@/ui/notice";
import { ErrorState, LoadingRows } from "@/ui/states";
import { isBounded } from "./comparison";
import { failureOf, isStale, type ReleaseDiff, type Restored, useComparison, useRestore } from "./queries";
import classes from "./restore-dialog.module.css";
import { changesOf, editsOf, placesOf, STALE } from "./words";

export function RestoreDialog({
  project,
  number,
  wasStale,
  opened,
  onClose,
  onRestored,
}: {
  project: Project;
  number: number;
  /** Whether it is asked again, as another release went out since the person looked. */
  wasStale: boolean;
  opened: boolean;
  onClose: () => void;
  /** `replaced`: the release that apps had until then. */
  onRestored: (outcome: Restored, replaced: number) => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Restore release ${number}?`} size={720} classNames={paddedFrame}>
      <Question project={project} number={number} wasStale={wasStale} onClose={onClose} onRestored={onRestored} />
    </Modal>
  );
}

function Question({
  project,
  number,
  wasStale,
  onClose,
  onRestored,
}: {
  project: Project;
  number: number;
  wasStale: boolean;
  onClose: () => void;
  onRestored: (outcome: Restored, replaced: number) => void;
}) {
  const live = project.release;
  const { query, diff, whole } = useComparison(project.projectId, number, live);
  const restore = useRestore(project.projectId);
  const attempt = useAttempt();
  const [failure, setFailure] = useState<string | null>(null);
  const [isOutdated, setOutdated] = useState(wasStale);
  // The page may hear of another release before anything is sent; its own one is no surprise.
  const [first] = useState(live);
  const isSurprise = isOutdated || (live !== first && (restore.isIdle || restore.isError));
  const send = () => {
    if (!attempt.begin()) return;
    setFailure(null);
    const wasOffline = !navigator.onLine;
    restore.mutate(
      { release: number, seen: live },
      {
        onSuccess: (outcome) => onRestored(outcome, live),
        onError: (error) => {
          attempt.failed();
          if (isStale(error)) setOutdated(true);
          else setFailure(failureOf(error, wasOffline));
        },
      },
    );
  };
  if (query.isPending) return <LoadingRows rows={5} height={46} label="Loading what restoring would change" />;
  if (diff === undefined) {
    return (
      <ErrorState
        message={messageOf(query.error, "Failed to compare the releases.")}
        onRetry={() => void query.refetch()}
        action={<Button onClick={onClose}>Close</Button>}
      />
    );
  }
  const total = diff.total - diff.imagesTotal;
  return (
    <>
      <div className={classes["scroll"]} tabIndex={-1}>
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        {isSurprise && <Notice tone="warn">{STALE}</Notice>}
        <Consequences project={project} number={number} diff={diff} total={total} />
        <DiffView diff={diff} project={project} whole={whole} />
      </div>
      <div className={`${dialogFooter} ${classes["buttons"]}`}>
        <Button onClick={onClose} disabled={restore.isPending}>
          {total === 0 ? "Close" : "Cancel"}
        </Button>
        {total > 0 && (
          <Button variant="filled" data-autofocus autoFocus loading={restore.isPending} onClick={send}>
            Restore release {number}
          </Button>
        )}
      </div>
    </>
  );
}

function Consequences({
  project,
  number,
  diff,
  total,
}: {
  project: Project;
  number: number;
  diff: ReleaseDiff;
  /** Without images. */
  total: number;
}) {
  const { release, unpublished } = project;
  const images = diff.imagesTotal > 0 && ` Images stay as they are now, though ${imagesOf(diff.imagesTotal)}.`;
  if (total === 0) {
    return (
      <p className={classes["lead"]}>
        Apps have the texts, colours and data of release {number} already.{images}
      </p>
    );
  }
  return (
    <>
      <ul className={classes["lead"]}>
        <li>
          Apps get release {release + 1} at once, with the texts, colours and data of release {number}:{" "}
          {changesOf(total)} to what they have now.{images || " Images stay as they are."}
        </li>
        {unpublished.total > 0 && (
          <li>
            {editsOf(unpublished.total)} {unpublished.total === 1 ? "waits" : "wait"} to be published
            {placesOf(unpublished)}. Edits to what was published before leave the draft, and stay in the histories of
            their screens, colours and items.
            {unpublished.stores > 0 &&
              " Deletions of items, and changes to the name and the fields of a Data Store, are not kept."}{" "}
            What is new stays in the draft, and so do texts in new languages.
          </li>
        )}
        <li>
          To give apps back the texts, colours and data that they have now, undo it or restore release {release}.
          {unpublished.total > 0 && " That does not bring back edits that left the draft: their histories do."}
        </li>
      </ul>
      <h3 className={classes["title"]}>What changes for apps</h3>
      {isBounded(diff) && (
        <p className={classes["bounded"]}>Of long lists the first 200 changes are shown; the numbers count all.</p>
      )}
    </>
  );
}

const imagesOf = (count: number) =>
  count === 1 ? "1 of them was another one then" : `${count.toLocaleString("en")} of them were others then`;
