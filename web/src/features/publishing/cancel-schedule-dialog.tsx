/** Asks before a scheduled publish is cancelled. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import toast from "react-hot-toast";
import { ApiError, api, failureOf, take } from "@/lib/api";
import { localZone } from "@/lib/instant";
import { keepProject } from "@/lib/project";
import { invalidateProject } from "@/lib/query";
import { formatInstant } from "@/lib/time";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { type Schedule, scheduleLists } from "./schedule-queries";

const OVER = {
  published: "This publish has already taken place.",
  failed: "This publish failed already.",
  cancelled: "This publish was cancelled already.",
};

export function CancelScheduleDialog({
  projectId,
  schedule,
  opened,
  onClose,
}: {
  projectId: string;
  /** As it is by now. */
  schedule: Schedule | undefined;
  opened: boolean;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: (scheduleId: string) =>
      take(api.DELETE("/api/schedule/{scheduleId}", { params: { path: { scheduleId } } })),
    onSuccess: ({ message }, cancelled) => {
      keepProject(client, projectId, (present) => ({ ...present, scheduledFor: null, scheduleObstacle: null }));
      scheduleLists.change(client, { path: { projectId } }, (schedules) =>
        schedules.map((one) => (one._id === cancelled ? { ...one, status: "cancelled" as const } : one)),
      );
      toast.success(message || "Scheduled publish cancelled.");
      onClose();
    },
    onError: (error) => {
      toast.error(failureOf(error, "Failed to cancel scheduled publish."));
      // It was published, or somebody else cancelled it: there is nothing left to ask about.
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) onClose();
    },
    onSettled: () => invalidateProject(client, projectId),
  });
  // Of one's own cancel one hears from its answer.
  const status = opened && !cancel.isPending ? schedule?.status : undefined;
  useEffect(() => {
    if (status === undefined || status === "pending") return;
    toast.error(OVER[status]);
    onClose();
  }, [status, onClose]);
  return (
    <ConfirmDialog
      opened={opened}
      title="Cancel this scheduled publish?"
      confirmText="Cancel publish"
      cancelText="Keep it"
      tone="warning"
      loading={cancel.isPending}
      onConfirm={() => schedule !== undefined && cancel.mutate(schedule._id)}
      onClose={onClose}
    >
      <p>
        {schedule !== undefined &&
          `Nothing is published on ${formatInstant(new Date(schedule.publishAt).getTime(), localZone())}. `}
        The changes stay in the draft.
      </p>
    </ConfirmDialog>
  );
}
