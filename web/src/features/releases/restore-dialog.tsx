/** Asks before apps get a former release again: whether the draft gets it too, what happens, and what apps have now. */
import { Button, Modal } from "@mantine/core";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { useLocation } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { projectQuery } from "@/lib/queries";
import { useAddressChange } from "@/lib/use-address-change";
import { useAttempt } from "@/lib/use-attempt";
import { useSettling } from "@/lib/use-settling";
import type { WholeLists } from "@/lib/use-whole-lists";
import { dialogFooter, paddedFrame } from "@/ui/dialog-frame";
import { DiffView } from "@/ui/diff-view";
import { focusInPlace, useLateFocus } from "@/ui/focus";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Row } from "@/ui/parts";
import { RadioChoices } from "@/ui/radio-choices";
import { ErrorState, LoadingRows } from "@/ui/states";
import {
  comparisonQuery,
  failureOf,
  isStale,
  OFFLINE,
  type Reach,
  type ReleaseDiff,
  type Restored,
  useComparison,
  useRestore,
} from "./queries";
import { RestoreConsequences } from "./restore-consequences";
import classes from "./restore-dialog.module.css";
import { useIsHere } from "./use-is-here";
import { STALE } from "./words";

const FAILED = "Failed to compare the releases.";

/** `replaced`: the release that apps had until then. */
type OnRestored = (outcome: Restored, replaced: number, reach: Reach) => void;

export function RestoreDialog({
  project,
  number,
  wasStale,
  opened,
  returnFocus,
  onClose,
  onRestored,
}: {
  project: Project;
  number: number;
  /** Whether the dialog asks again, because another release was published since the person looked. */
  wasStale: boolean;
  opened: boolean;
  /** Whether what opened it is still there. */
  returnFocus: boolean;
  onClose: () => void;
  onRestored: OnRestored;
}) {
  const { pathname, search } = useLocation();
  useAddressChange(pathname + search, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      returnFocus={returnFocus}
      title={`Restore release ${number}?`}
      size={720}
      classNames={paddedFrame}
    >
      <Question project={project} number={number} wasStale={wasStale} onClose={onClose} onRestored={onRestored} />
    </Modal>
  );
}

interface Asking {
  project: Project;
  number: number;
  wasStale: boolean;
  onClose: () => void;
  onRestored: OnRestored;
}

/** It shows a comparison with the release that apps had when it opened, until the person asks for a newer comparison. */
function Question(asking: Asking) {
  const { project, number, onClose } = asking;
  const client = useQueryClient();
  const [seen, setSeen] = useState(() => releaseNow(client, project.projectId));
  const comparison = useComparison(project.projectId, number, seen);
  const { query, diff } = comparison;
  if (diff !== undefined) {
    return <Answerable {...asking} seen={seen} onSee={setSeen} diff={diff} whole={comparison.whole} />;
  }
  if (query.isPending) return <LoadingRows rows={5} height={46} label="Loading what restoring would change" />;
  return (
    <ErrorState
      message={messageOf(query.error, FAILED)}
      onRetry={() => void query.refetch()}
      action={<Button onClick={onClose}>Close</Button>}
    />
  );
}

function Answerable({
  project,
  number,
  wasStale,
  onClose,
  onRestored,
  seen,
  onSee,
  diff,
  whole,
}: Asking & {
  /** The release that apps had when the person looked. */
  seen: number;
  onSee: (release: number) => void;
  diff: ReleaseDiff;
  whole: WholeLists;
}) {
  const { projectId } = project;
  const restore = useRestore(projectId);
  const renewal = useRenewal(projectId, number);
  const { isSettling, settle } = useSettling(wasStale);
  const attempt = useAttempt();
  const isHere = useIsHere();
  const top = useRef<HTMLDivElement>(null);
  const confirm = useLateFocus<HTMLButtonElement>();
  const [reach, setReach] = useState<Reach>("apps");
  const [notice, setNotice] = useState<Said | null>(wasStale ? { tone: "warn", text: STALE } : null);
  useEffect(() => {
    const withdraw = () => setNotice((present) => (present?.text === OFFLINE ? null : present));
    window.addEventListener("online", withdraw);
    return () => window.removeEventListener("online", withdraw);
  }, []);
  // One's own release is heard of, too.
  const isOutdated = project.release > seen && !restore.isPending && !restore.isSuccess;
  const isDisarmed = isOutdated || isSettling || renewal.isPending;
  const renew = (said: Said | null) => {
    setNotice(said);
    renewal.mutate(undefined, {
      onSuccess: (present) => {
        onSee(present);
        settle();
        // The button that was pressed is gone or at rest.
        focusInPlace(top.current);
        top.current?.scrollIntoView({ block: "start" });
      },
      onError: (error) => setNotice({ tone: "bad", text: messageOf(error, FAILED) }),
    });
  };
  const send = async () => {
    if (isDisarmed || !attempt.begin()) return;
    setNotice(null);
    const wasOffline = !navigator.onLine;
    try {
      onRestored(await restore.mutateAsync({ release: number, seen, reach }), seen, reach);
    } catch (error) {
      attempt.failed();
      if (!isHere.current) toast.error(failureOf(error, wasOffline));
      else if (isStale(error)) renew({ tone: "warn", text: STALE });
      else setNotice({ tone: "bad", text: failureOf(error, wasOffline) });
    }
  };
  const total = diff.total - diff.imagesTotal;
  return (
    <>
      <div className={look({ grow: true, px: 20, pt: 2, pb: 20 }, classes["scroll"])} ref={top} tabIndex={-1}>
        {total > 0 && (
          <Box mb={14}>
            <RadioChoices
              legend="What does the restore concern?"
              choices={reachesOf(number)}
              value={reach}
              onChange={setReach}
            />
          </Box>
        )}
        <RestoreConsequences project={project} number={number} seen={seen} reach={reach} diff={diff} total={total} />
        {/* Nothing of it has happened. */}
        <DiffView diff={diff} project={project} whole={whole} hasStamps={false} />
      </div>
      <div className={`${dialogFooter} ${look({ layout: "stack", gap: 12 })}`}>
        {notice !== null && (
          <Notice key={notice.text} tone={notice.tone} isUrgent>
            {notice.text}
          </Notice>
        )}
        {isOutdated && !(renewal.isPending && notice !== null) && (
          <Notice
            tone="warn"
            isUrgent
            action={
              <Button size="xs" loading={renewal.isPending} onClick={() => renew(null)}>
                Show what would change now
              </Button>
            }
          >
            Release {project.release} was published while this dialog was open.
          </Notice>
        )}
        <Row justify="end" gap={8}>
          <Button onClick={onClose} disabled={restore.isPending}>
            {total === 0 ? "Close" : "Cancel"}
          </Button>
          {total > 0 && (
            <Button
              ref={confirm}
              variant="filled"
              data-autofocus
              loading={restore.isPending}
              {...(isDisarmed ? { "data-disabled": true, "aria-disabled": true } : {})}
              onClick={() => void send()}
            >
              Restore release {number}
            </Button>
          )}
        </Row>
      </div>
    </>
  );
}

const reachesOf = (number: number) =>
  [
    { value: "apps", label: "Apps", meaning: "The draft stays as it is, with all unpublished changes." },
    { value: "draft", label: "Apps and the draft", meaning: `The draft becomes what release ${number} has, too.` },
  ] as const;

type Said = { tone: "warn" | "bad"; text: string };

/** The release that apps have, as was last read: after a refusal that is before the page draws it. */
const releaseNow = (client: QueryClient, projectId: string): number =>
  client.getQueryData(projectQuery(projectId).queryKey)?.release ?? 0;

/** Fetches what restoring would change now, before it takes the place of what is shown; gives the release that apps have. */
function useRenewal(projectId: string, number: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const present = releaseNow(client, projectId);
      await client.fetchQuery(comparisonQuery(projectId, number, present));
      return present;
    },
  });
}
