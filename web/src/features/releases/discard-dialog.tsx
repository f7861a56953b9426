/** Asks before the draft becomes what the live release has: what leaves the draft, what stays in it, and what an undo returns. */
import { Button, Modal } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { useLocation } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useAddressChange } from "@/lib/use-address-change";
import { useAttempt } from "@/lib/use-attempt";
import { useLateFocus } from "@/lib/use-late-focus";
import { dialogFooter, paddedFrame } from "@/ui/dialog-frame";
import { DiffView } from "@/ui/diff-view";
import { Notice } from "@/ui/notice";
import { ErrorState, LoadingRows } from "@/ui/states";
import { isBounded } from "./comparison";
import { failureOf, type Restored, restorePreviewQuery, useComparison, useRestore } from "./queries";
import { BecomesOfEdits, Bounded, Scheduled } from "./restore-consequences";
import classes from "./restore-dialog.module.css";
import { useIsHere } from "./use-is-here";
import { editsOf, placesOf } from "./words";

const FAILED = "Failed to read the unpublished changes.";
const OFFLINE = "You are offline. Nothing was discarded.";

interface Asking {
  project: Project;
  /** The live release. */
  number: number;
  onClose: () => void;
  onDiscarded: (outcome: Restored) => void;
}

export function DiscardDialog({ opened, ...asking }: Asking & { opened: boolean }) {
  const { pathname, search } = useLocation();
  useAddressChange(pathname + search, asking.onClose);
  return (
    <Modal
      opened={opened}
      onClose={asking.onClose}
      title="Discard all unpublished changes?"
      size={720}
      classNames={paddedFrame}
    >
      <Question {...asking} />
    </Modal>
  );
}

function Question({ project, number, onClose, onDiscarded }: Asking) {
  const { projectId, unpublished } = project;
  const { query, diff, whole } = useComparison(projectId, number, "draft");
  // A publish by somebody else makes the release in question an older one.
  const isOutdated = project.release > number;
  const preview = useQuery({
    ...restorePreviewQuery(projectId, number, number, unpublished.total),
    placeholderData: keepPreviousData,
  });
  const restore = useRestore(projectId);
  const attempt = useAttempt();
  const isHere = useIsHere();
  const [failure, setFailure] = useState<string | null>(null);
  if (diff === undefined || preview.data === undefined) {
    const failed = query.error ?? preview.error;
    if (failed === null) return <LoadingRows rows={5} height={46} label="Loading the unpublished changes" />;
    return (
      <ErrorState
        message={messageOf(failed, FAILED)}
        onRetry={() => {
          void query.refetch();
          void preview.refetch();
        }}
        action={<Button onClick={onClose}>Close</Button>}
      />
    );
  }
  const { waiting, staying, keptEdits, leftOut } = preview.data;
  const hasSome = !isOutdated && (waiting > staying || keptEdits > 0);
  const send = async () => {
    if (!attempt.begin()) return;
    setFailure(null);
    const wasOffline = !navigator.onLine;
    try {
      onDiscarded(await restore.mutateAsync({ release: number, seen: number }));
    } catch (error) {
      attempt.failed();
      const said = wasOffline ? OFFLINE : failureOf(error, false);
      if (isHere.current) setFailure(said);
      else toast.error(said);
    }
  };
  return (
    <>
      <div className={classes["scroll"]}>
        <ul className={classes["lead"]}>
          <li>
            Apps keep release {number} and get nothing new. The draft becomes what release {number} has. Images stay as
            they are.
          </li>
          {waiting > 0 && (
            <li>
              {editsOf(waiting)} {waiting === 1 ? "is" : "are"} unpublished{placesOf(unpublished)}.{" "}
              <BecomesOfEdits preview={preview.data} />
            </li>
          )}
          {leftOut.map((sentence) => (
            <li key={sentence} className={classes["left"]}>
              {sentence}
            </li>
          ))}
          <Scheduled at={project.scheduledFor} />
        </ul>
        {diff.total > 0 && <h3 className={classes["title"]}>Unpublished changes</h3>}
        {isBounded(diff) && <Bounded />}
        <DiffView diff={diff} project={project} whole={whole} />
      </div>
      <div className={`${dialogFooter} ${classes["footer"]}`}>
        {isOutdated && (
          <Notice tone="warn" isUrgent>
            Release {project.release} was published while this dialog was open. Close the dialog and open it again.
          </Notice>
        )}
        {failure !== null && (
          <Notice tone="bad" isUrgent>
            {failure}
          </Notice>
        )}
        <div className={classes["buttons"]}>
          <SafeButton onClick={onClose} disabled={restore.isPending}>
            {hasSome ? "Cancel" : "Close"}
          </SafeButton>
          {hasSome && (
            <Button variant="filled" color="red" loading={restore.isPending} onClick={() => void send()}>
              Discard changes
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

/** Has the focus from the moment it is there. */
function SafeButton(props: { onClick: () => void; disabled: boolean; children: string }) {
  return <Button ref={useLateFocus<HTMLButtonElement>()} data-autofocus {...props} />;
}
