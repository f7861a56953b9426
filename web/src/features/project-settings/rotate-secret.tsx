import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { keepProject } from "@/lib/project";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconRefresh } from "@/ui/icons";

export function RotateSecret({ project: { projectId } }: { project: Project }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => take(api.POST("/api/projects/{projectId}/secret/rotate", { params: { path: { projectId } } })),
    onSuccess: ({ projectSecret }) => {
      keepProject(client, projectId, (present) => ({ ...present, projectSecret }));
      toast.success("This project has a new secret. The old secret is refused.");
    },
    onError: (error) => toast.error(failureOf(error, "Failed to rotate the project secret.")),
    onSettled: (_, error) => setAsking(isUnreachable(error)),
  });
  return (
    <>
      <Button size="xs" color="red" aria-label="Rotate project secret" onClick={() => setAsking(true)}>
        Rotate
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Rotate the project secret?"
        confirmText="Rotate secret"
        tone="danger"
        icon={IconRefresh}
        loading={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        The present secret ends at once, wherever you keep it. Apps with the publishable key notice nothing. This action
        cannot be undone.
      </ConfirmDialog>
    </>
  );
}
