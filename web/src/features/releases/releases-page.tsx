/** The releases of a project: when each was published, what it changed, and its restore. */
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { Link, useNavigate } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useDiscard } from "@/lib/discarding";
import { useProject } from "@/lib/project";
import { BackLink } from "@/ui/back-link";
import { LARGE } from "@/ui/breakpoints";
import { focusIn, focusPage, focusPageBesideDialogs } from "@/ui/focus";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Box, Grid } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { UndoToast } from "@/ui/undo-toast";
import { searchOf, useShown } from "./address";
import { NewerRelease, usePinned } from "./newer-release";
import {
  failureOf,
  isStale,
  type Reach,
  type Release,
  type Restored,
  releaseQuery,
  releasesQuery,
  useRestore,
} from "./queries";
import { ReleaseDetail } from "./release-detail";
import { ReleaseList } from "./release-list";
import classes from "./releases-page.module.css";
import { RestoreDialog } from "./restore-dialog";
import { useIsHere } from "./use-is-here";
import { editsOf } from "./words";

const FAILED = "Failed to fetch releases.";
const UNDO_SHOWN_MS = 10_000;
const READ_MS = 6_000;

export function ReleasesPage() {
  const { project } = useProject();
  const query = useInfiniteQuery(releasesQuery(project.projectId));
  if (query.isPending) {
    return (
      <PageBody>
        <LoadingRows rows={6} height={56} label="Loading releases" />
      </PageBody>
    );
  }
  if (query.data === undefined) {
    return (
      <PageBody>
        <ErrorState message={messageOf(query.error, FAILED)} onRetry={() => void query.refetch()} />
      </PageBody>
    );
  }
  const releases = query.data.pages.flatMap((page) => page.releases);
  if (releases.length === 0) {
    return (
      <PageBody>
        <EmptyState
          title="Nothing is published yet"
          action={
            <Button component={Link} to={`/projects/${project.projectId}/general`}>
              Go to the texts
            </Button>
          }
        >
          Each publish becomes a release with a number. Here you see what every one of them changed, and can bring any
          of them back. Start with “Publish Changes”.
        </EmptyState>
      </PageBody>
    );
  }
  return (
    <Releases
      project={project}
      releases={releases}
      isUpToDate={!query.isFetching}
      more={
        query.hasNextPage && (
          <Button
            size="xs"
            className={look({ mt: 8, mb: 8, ms: 10, me: 10 })}
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchNextPageError ? `${FAILED} Try again` : "Show more"}
          </Button>
        )
      }
    />
  );
}

function Releases({
  project,
  releases,
  isUpToDate,
  more,
}: {
  project: Project;
  releases: readonly Release[];
  /** Rather than what an earlier visit left, of which news is on its way. */
  isUpToDate: boolean;
  more: React.ReactNode;
}) {
  const shown = useShown();
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const restoring = useRestoring(project);
  const discard = useDiscard();
  const newest = releases[0]?.number ?? null;
  // Beside the list there is room to show what apps have now.
  const isOpen = isLarge && shown.release === null;
  const pinned = usePinned(isOpen, newest, isUpToDate);
  const chosen = isOpen ? (pinned ?? newest) : shown.release;
  useFocusOfChoice(isLarge, shown.release, heading, list);
  const isListShown = isLarge || chosen === null;
  return (
    <PageBody>
      {restoring.leftOut.length > 0 && (
        <Box pb={18} noPrint className={classes["notice"]}>
          <Notice
            tone="warn"
            action={
              <Button size="xs" onClick={restoring.dismiss}>
                Got it
              </Button>
            }
          >
            Not everything could come back:
            <Box as="ul" bullets>
              {restoring.leftOut.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </Box>
          </Notice>
        </Box>
      )}
      <Grid align="start" gap={32} className={classes["columns"]}>
        {isListShown && (
          <Box ref={list} place="sticky" pt={2} pb={12} scroll noPrint className={classes["list"]}>
            {pinned !== null && newest !== null && newest > pinned && <NewerRelease release={newest} />}
            <ReleaseList
              releases={releases}
              chosen={chosen}
              isReplacing={isLarge && shown.release !== null}
              more={more}
            />
          </Box>
        )}
        {chosen !== null && (
          <Chosen
            key={chosen}
            project={project}
            releases={releases}
            number={chosen}
            onRestore={() => restoring.ask(chosen)}
            onDiscard={() =>
              discard?.({ changes: ["all"], name: "the whole draft", title: "Discard all unpublished changes?" })
            }
            heading={heading}
            isAlone={!isLarge}
          />
        )}
      </Grid>
      {/* Also while nothing is asked: it learns of its opening, and so where the focus was. */}
      <RestoreDialog
        project={project}
        number={restoring.asked.number}
        wasStale={restoring.asked.wasStale}
        opened={restoring.isAsking}
        returnFocus={!restoring.isRestored}
        onClose={restoring.close}
        onRestored={restoring.done}
      />
    </PageBody>
  );
}

/** On small screens the list and the release take each other's place, and the focus goes along. */
function useFocusOfChoice(
  isLarge: boolean,
  release: number | null,
  heading: React.RefObject<HTMLHeadingElement | null>,
  list: React.RefObject<HTMLDivElement | null>,
): void {
  const before = useRef(release);
  useEffect(() => {
    const last = before.current;
    before.current = release;
    if (isLarge || last === release) return;
    if (release !== null) heading.current?.focus();
    else focusIn(list.current, `[data-release="${last}"]`);
  }, [isLarge, release, heading, list]);
}

function Chosen({
  project,
  releases,
  number,
  onRestore,
  onDiscard,
  heading,
  isAlone,
}: {
  project: Project;
  releases: readonly Release[];
  number: number;
  onRestore: () => void;
  onDiscard: () => void;
  heading: React.Ref<HTMLHeadingElement>;
  isAlone: boolean;
}) {
  const { against } = useShown();
  const listed = releases.find((release) => release.number === number);
  const query = useQuery({ ...releaseQuery(project.projectId, number), enabled: listed === undefined });
  const release = listed ?? query.data;
  const back = isAlone && (
    <BackLink to={{ search: "" }} mb={6} minH={40} noPrint>
      All releases
    </BackLink>
  );
  if (release === undefined && query.isPending) return <LoadingRows rows={6} height={56} label="Loading the release" />;
  if (release === undefined || release === null) {
    return (
      <div>
        {back}
        <ErrorState
          message={release === null ? `There is no release ${number}.` : messageOf(query.error, FAILED)}
          {...(release === null ? {} : { onRetry: () => void query.refetch() })}
        />
      </div>
    );
  }
  return (
    <ReleaseDetail
      project={project}
      release={release}
      against={against === number ? "previous" : against}
      others={releases}
      heading={heading}
      back={back}
      onRestore={onRestore}
      onDiscard={onDiscard}
    />
  );
}

/** From the question to what came of it, and back again. */
function useRestoring({ projectId }: Project) {
  const navigate = useNavigate();
  const undo = useRestore(projectId);
  const [asked, setAsked] = useState({ number: 0, wasStale: false });
  const [isAsking, setAsking] = useState(false);
  const [isRestored, setRestored] = useState(false);
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);

  const isHere = useIsHere();
  const ask = (number: number, wasStale = false) => {
    setAsked({ number, wasStale });
    setRestored(false);
    setAsking(true);
  };
  const show = (release: number) => void navigate({ search: searchOf(release) }, { preventScrollReset: true });

  const undoOf = async (restored: Restored, replaced: number, reach: Reach) => {
    const wasOffline = !navigator.onLine;
    const { keptAt } = restored;
    try {
      const outcome = await undo.mutateAsync({
        release: replaced,
        seen: restored.release,
        reach,
        undo: keptAt === null || reach === "apps" ? undefined : { release: asked.number, keptAt },
      });
      setLeftOut(outcome.leftOut);
      toast.success(undoneWords(outcome, replaced), { duration: READ_MS });
      if (outcome.published && isHere.current) show(outcome.release);
    } catch (error) {
      if (isStale(error) && isHere.current) ask(replaced, true);
      else toast.error(failureOf(error, wasOffline));
    }
  };
  const done = (outcome: Restored, replaced: number, reach: Reach) => {
    setAsking(false);
    setRestored(outcome.published);
    setLeftOut(outcome.leftOut);
    const message = restoredWords(outcome);
    toast.success(
      ({ id }) =>
        outcome.published || outcome.keptAt !== null ? (
          <UndoToast
            message={message}
            onUndo={() => {
              toast.dismiss(id);
              focusPageBesideDialogs();
              void undoOf(outcome, replaced, reach);
            }}
          />
        ) : (
          message
        ),
      { duration: UNDO_SHOWN_MS },
    );
    if (!outcome.published || !isHere.current) return;
    // The button that opened the question goes with its release.
    focusPage();
    show(outcome.release);
  };
  return {
    asked,
    isAsking,
    isRestored,
    leftOut,
    ask,
    close: () => setAsking(false),
    dismiss: () => setLeftOut([]),
    done,
  };
}

function restoredWords({ message, keptEdits }: Restored): string {
  if (keptEdits === 0) return message;
  return keptEdits === 1
    ? `${message} 1 unpublished edit left the draft; it stays in its history.`
    : `${message} ${editsOf(keptEdits)} that were unpublished left the draft; they stay in the histories.`;
}

/** Edits that were written between the restore and its undo leave the draft, too. */
function undoneWords(outcome: Restored, replaced: number): string {
  const { message, published, leftOut, returnedEdits, keptEdits } = outcome;
  const words = [published && leftOut.length === 0 ? `Apps are back on what release ${replaced} had.` : message];
  if (returnedEdits > 0)
    words.push(`${editsOf(returnedEdits)} ${returnedEdits === 1 ? "is" : "are"} in the draft again.`);
  if (keptEdits > 0)
    words.push(
      `${editsOf(keptEdits)} made since then ${keptEdits === 1 ? "stays in its history" : "stay in the histories"}.`,
    );
  return words.join(" ");
}
