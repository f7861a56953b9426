/** For members: the way out of the project. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { departing } from "@/lib/departures";
import { useMe } from "@/lib/queries";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconLogout } from "@/ui/icons";
import { PanelRow, RowText } from "@/ui/panel-row";
import { useDeparture } from "./use-departure";

export function LeaveProject({ project: { projectId, name } }: { project: Project }) {
  const [isAsking, setAsking] = useState(false);
  const { data: me } = useMe();
  const depart = useDeparture(projectId);
  const leave = useMutation({
    mutationFn: (userId: string) =>
      departing(projectId, () =>
        take(api.DELETE("/api/projects/{projectId}/members/{userId}", { params: { path: { projectId, userId } } })),
      ),
    onSuccess: async () => {
      toast.success(`You left ${name}.`);
      await depart();
    },
    onError: (error) => {
      if (!isUnreachable(error)) setAsking(false);
      toast.error(failureOf(error, "Failed to leave the project."));
    },
  });
  return (
    <PanelRow>
      <RowText name="Leave this project">You can come back only when an admin or the owner invites you again.</RowText>
      <Button size="xs" color="red" disabled={me === undefined} onClick={() => setAsking(true)}>
        Leave project
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`Leave ${name}?`}
        confirmText="Leave project"
        tone="danger"
        icon={IconLogout}
        loading={leave.isPending}
        onConfirm={() => me !== undefined && leave.mutate(me._id)}
        onClose={() => setAsking(false)}
      >
        You lose access at once, and so do apps and tools that read this project with your developer API keys. What you
        did stays in its history.
      </ConfirmDialog>
    </PanelRow>
  );
}
