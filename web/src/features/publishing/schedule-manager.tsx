/** The inside of the dialog: the scheduled publish, the form for another, and what became of earlier publishes. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { failureOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { may, type PlanChoice, refusals } from "@/lib/project";
import { focusIn } from "@/ui/focus";
import { Notice } from "@/ui/notice";
import { Box } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { CancelScheduleDialog } from "./cancel-schedule-dialog";
import { NEEDS_SCHEDULING } from "./schedule-button";
import { ScheduleForm } from "./schedule-form";
import { EndedSchedules, PendingSchedule } from "./schedule-list";
import { type Schedule, schedulesQuery } from "./schedule-queries";

/** The dialog that asked gives the focus back first, to what was there before it; or it fades away with it. */
const FOCUS_RETURN_MS = 50;

export function ScheduleManager({
  project,
  onClose,
  onActivate,
}: {
  project: Project;
  onClose: () => void;
  onActivate: (choice: PlanChoice) => void;
}) {
  const query = useQuery(schedulesQuery(project.projectId));
  const [cancelling, setCancelling] = useState<Schedule | null>(null);
  const keep = useCallback(() => setCancelling(null), []);
  const form = useRef<HTMLDivElement>(null);
  const mayPublish = may(project, "publish");
  const pendingId = query.data?.find(({ status }) => status === "pending")?._id;
  const former = useRef<string>(undefined);
  // The button that asked for the cancel goes with its row: the form takes the focus.
  useEffect(() => {
    const isGone = former.current !== undefined && pendingId === undefined && cancelling === null;
    if (pendingId !== undefined || isGone) former.current = pendingId;
    if (!isGone) return;
    const timer = setTimeout(() => {
      const dialog = form.current?.closest('[aria-modal="true"]');
      if (dialog?.contains(document.activeElement) === false) focusIn(form.current, "input");
    }, FOCUS_RETURN_MS);
    return () => clearTimeout(timer);
  }, [pendingId, cancelling]);
  if (query.isPending) return <LoadingRows rows={5} height={46} label="Loading scheduled publishes" />;
  if (query.data === undefined) {
    return (
      <ErrorState
        message={failureOf(query.error, "Failed to fetch scheduled publishes.")}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const pending = query.data.find(({ status }) => status === "pending");
  const ended = query.data.filter(({ status }) => status !== "pending");
  return (
    <>
      {pending !== undefined && (
        <PendingSchedule
          schedule={pending}
          obstacle={project.scheduleObstacle}
          refusal={mayPublish ? null : refusals.publish}
          onCancel={() => setCancelling(pending)}
        />
      )}
      {!project.hasScheduling ? (
        <NoScheduling project={project} onClose={onClose} onActivate={onActivate} />
      ) : mayPublish ? (
        <div ref={form}>
          <ScheduleForm project={project} isTaken={pending !== undefined} onScheduled={onClose} />
        </div>
      ) : (
        <Notice tone="plain">
          {pending === undefined && "Nothing is scheduled. "}
          {refusals.publish}
        </Notice>
      )}
      {ended.length > 0 && <EndedSchedules schedules={ended} />}
      <CancelScheduleDialog
        projectId={project.projectId}
        schedule={cancelling === null ? pending : (query.data.find(({ _id }) => _id === cancelling._id) ?? cancelling)}
        opened={cancelling !== null}
        onClose={keep}
      />
    </>
  );
}

/** What the plan does not have, and the way to one that does. */
function NoScheduling({
  project,
  onClose,
  onActivate,
}: {
  project: Project;
  onClose: () => void;
  onActivate: (choice: PlanChoice) => void;
}) {
  const mayActivate = may(project, "assign_credits");
  return (
    <Box py={8}>
      <EmptyState
        title={NEEDS_SCHEDULING}
        action={
          mayActivate && (
            <Button
              variant="filled"
              onClick={() => {
                onClose();
                onActivate({ tier: "pro" });
              }}
            >
              See the Pro Tier
            </Button>
          )
        }
      >
        Choose the date and time at which your changes are published, also while you sleep. This project is on{" "}
        {project.tierName}.{!mayActivate && ` ${refusals.assign_credits}`}
      </EmptyState>
    </Box>
  );
}
