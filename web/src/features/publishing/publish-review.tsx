/** The inside of the review before a publish. What was reviewed is what goes out. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { Link, useHref, useNavigate } from "react-router";
import { ApiError, api, messageOf, NetworkError, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { type Diff, keptBack } from "@/lib/diff";
import { localZone } from "@/lib/instant";
import { keys } from "@/lib/queries";
import { shortInstant } from "@/lib/time";
import { useAttempt } from "@/lib/use-attempt";
import { useNow } from "@/lib/use-now";
import { announce } from "@/lib/window-events";
import { dialogFooter } from "@/ui/dialog-frame";
import type { Revealed } from "@/ui/diff-section";
import { DiffView } from "@/ui/diff-view";
import { hasLosses, LossSummary } from "@/ui/losses";
import { Notice } from "@/ui/notice";
import { ErrorState, LoadingRows } from "@/ui/states";
import { hasGrave, WarningSummary, warningWords } from "@/ui/value-warnings";
import classes from "./publish-dialog.module.css";
import { useReviewed } from "./publish-reviewed";
import { presentDiff } from "./queries";

/** Long enough to follow the link in it. */
const SHOWN_MS = 5_000;
/** Of two publishes in a row the last one is told. */
const PUBLISHED = "published";
/** So many changes of a screen or store the server lists. */
const LISTED = 200;
const OFFLINE = "You are offline. Nothing was published.";

/** Toasts stand outside the pages: the link is told where it leads, and how to go there. */
function Published({ release, href, onOpen }: { release: number; href: string; onOpen: () => void }) {
  return (
    <>
      <span className={classes["published"]}>Changes published successfully!</span>
      <a
        className={classes["release"]}
        href={href}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
      >
        Release {release}
      </a>
    </>
  );
}

function usePublish(project: Project, onPublished: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { projectId } = project;
  const base = useHref(`/projects/${projectId}/releases`);
  return useMutation({
    mutationFn: (token: string) =>
      take(
        api.POST("/api/translations/{projectId}/publish", {
          params: { path: { projectId } },
          body: { expected: token },
        }),
      ),
    onSuccess: (outcome) => {
      client.setQueryData<Project>(keys.project(projectId), (present) =>
        present === undefined
          ? undefined
          : {
              ...present,
              release: outcome.release,
              isPublished: true,
              unpublished: { total: 0, screens: {}, colors: 0, stores: 0 },
            },
      );
      toast.success(
        outcome.published ? (
          <Published
            release={outcome.release}
            href={`${base}?release=${outcome.release}`}
            // The toast stays: the clock of all of them stands still when one goes from under the pointer.
            onOpen={() => void navigate(`/projects/${projectId}/releases?release=${outcome.release}`)}
          />
        ) : (
          outcome.message
        ),
        { id: PUBLISHED, duration: SHOWN_MS },
      );
      // Texts and colours carry their published state too.
      void client.invalidateQueries({
        queryKey: keys.project(projectId),
        predicate: (query) => query.queryKey.length > keys.project(projectId).length,
      });
      announce("projectUpdated", { projectId });
      announce("translationsUpdated", { projectId, screen: "__ALL__" });
      onPublished();
    },
  });
}

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
  const [notice, setNotice] = useState<{ tone: "warn" | "bad"; text: string } | null>(null);
  const publish = usePublish(project, onPublished);
  useEffect(() => {
    const withdraw = () => setNotice((present) => (present?.text === OFFLINE ? null : present));
    window.addEventListener("online", withdraw);
    return () => window.removeEventListener("online", withdraw);
  }, []);
  const attempt = useAttempt();
  const [revealed, reveal] = useState<Revealed | null>(null);
  const top = useRef<HTMLDivElement>(null);

  const { diff, isRenewed } = reviewed;
  const isHarmless = diff !== undefined && !hasGrave(diff.warnings) && !hasLosses(diff.losses);
  const isShown = diff !== undefined;
  useEffect(() => {
    // The focus is where Enter does nothing, and the arrows scroll.
    if (isShown && !isHarmless) top.current?.focus({ preventScroll: true });
  }, [isShown, isHarmless]);
  // Of one's own publish one hears, too.
  const isOutdated = reviewed.isOutdated && !publish.isPending && !publish.isSuccess;
  const isDisarmed = isOutdated || reviewed.isSettling;
  const renew = (present?: Diff) => {
    reviewed.renew(present);
    reveal(null);
    // The button that was pressed is gone or at rest.
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: "start" });
  };
  const send = (token: string) => {
    if (isDisarmed || !attempt.begin()) return;
    setNotice(null);
    // Of a connection that breaks on the way nobody knows whether the publish arrived.
    const isOffline = !navigator.onLine;
    publish.mutate(token, {
      onError: (error) => {
        attempt.failed();
        const present = error instanceof ApiError && error.code === "stale_diff" ? presentDiff(error.body) : undefined;
        if (present !== undefined) {
          renew(present);
          setNotice({ tone: "warn", text: messageOf(error, "The draft changed since you reviewed it.") });
        } else if (error instanceof ApiError && error.status === 402) {
          onNoPlan();
        } else if (isOffline && error instanceof NetworkError) {
          setNotice({ tone: "bad", text: OFFLINE });
        } else {
          setNotice({ tone: "bad", text: messageOf(error, "Failed to publish changes.", "Error publishing changes.") });
        }
      },
    });
  };

  if (diff === undefined) {
    if (reviewed.error === null) return <LoadingRows rows={5} height={46} label="Loading what waits to be published" />;
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
  const isNothing = diff.total === 0 && !diff.isFirst;
  return (
    <>
      <div ref={top} className={classes["scroll"]} tabIndex={-1}>
        <Summary project={project} diff={diff} onLeave={onClose} />
        <LossSummary diff={diff} onReveal={reveal} />
        <WarningSummary places={diff.warnings} onReveal={reveal} />
        <DiffView diff={diff} project={project} warnings={diff.warnings} revealed={revealed} whole={reviewed.whole} />
      </div>
      <div className={`${dialogFooter} ${classes["footer"]}`}>
        {notice !== null && (
          <Notice key={notice.text} tone={notice.tone} isUrgent>
            {notice.text}
          </Notice>
        )}
        {isOutdated && (
          <Notice
            tone="warn"
            isUrgent
            action={
              <Button
                size="xs"
                onClick={() => {
                  setNotice(null);
                  renew();
                }}
              >
                Show what waits now
              </Button>
            }
          >
            {reviewed.released === null ? "The draft changed" : `Release ${reviewed.released} went out`} since you
            opened this.
          </Notice>
        )}
        <div className={classes["buttons"]}>
          {isNothing ? (
            <Button variant="filled" data-autofocus onClick={onClose}>
              Close
            </Button>
          ) : (
            <>
              {diff.warnings.length > 0 ? (
                <span className={classes["warned"]}>{warningWords(diff.warnings)}</span>
              ) : (
                // Where something was renewed the focus is no longer on the button.
                !isDisarmed && !isRenewed && isHarmless && <span className={classes["hint"]}>Enter publishes</span>
              )}
              <Button onClick={onClose} disabled={publish.isPending}>
                Cancel
              </Button>
              <Button
                variant="filled"
                // Neither a removal nor what needs a check is one key press away from going out.
                autoFocus={isHarmless}
                loading={publish.isPending}
                {...(isDisarmed ? { "data-disabled": true, "aria-disabled": true } : {})}
                onClick={() => send(diff.token)}
              >
                {publishWords(diff.total)}
                {isRenewed && " as shown now"}
              </Button>
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** What happens, what is not on the page of it, and what happens by itself. */
function Summary({ project, diff, onLeave }: { project: Project; diff: Diff; onLeave: () => void }) {
  const now = useNow();
  const at = project.scheduledFor === null ? null : new Date(project.scheduledFor).getTime();
  return (
    <p className={classes["summary"]}>
      {summaryOf(diff)}
      {isShortened(diff) &&
        ` Of long lists the first ${LISTED} are shown, with all that needs a check; this publishes all ${diff.total.toLocaleString("en")} changes.`}
      {at !== null && ` Also scheduled for ${at > now ? shortInstant(at, now, localZone()) : "now"}.`}
      {!diff.isFirst && (
        <>
          {" "}
          <Link to={`/projects/${project.projectId}/releases`} onClick={onLeave}>
            See all releases
          </Link>
        </>
      )}
    </p>
  );
}

function publishWords(total: number): string {
  if (total === 0) return "Publish";
  return total === 1 ? "Publish 1 change" : `Publish ${total.toLocaleString("en")} changes`;
}

/** Whether some of its lists end before their last change. */
const isShortened = ({ screens, stores }: Diff): boolean =>
  screens.some(({ keys: shown, total }) => shown.length < total) ||
  // The store itself may be one of its changes.
  stores.some((store) => keptBack(store) > 0);

function summaryOf(diff: Diff): string {
  if (diff.isFirst) {
    return diff.total === 0
      ? "This is the first publish. There is nothing to show yet: your apps get an empty release 1, and what you add later with the next publish."
      : "This is the first publish: your apps get everything below, as release 1.";
  }
  if (diff.total === 0) return "There is nothing new to publish. Your apps already have everything.";
  return `Your apps get this as release ${diff.release + 1}, all of it at once.`;
}
