import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { keepProject } from "@/lib/project";
import { invalidate } from "@/lib/query";
import { ConfirmDialog } from "@/ui/confirm-dialog";

export function RotateKey({ project: { projectId } }: { project: Project }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: () =>
      take(api.POST("/api/projects/{projectId}/publishable-key/rotate", { params: { path: { projectId } } })),
    onSuccess: ({ publishableKey }) => {
      keepProject(client, projectId, (present) => ({ ...present, publishableKey }));
      toast.success("This project has a new publishable key.");
      return invalidate(client, "/api/projects/{projectId}/publishable-keys", { path: { projectId } });
    },
    onError: (error) => toast.error(failureOf(error, "Failed to make a new publishable key.")),
    onSettled: (_, error) => setAsking(isUnreachable(error)),
  });
  return (
    <>
      <Button size="xs" aria-label="New key for apps" onClick={() => setAsking(true)}>
        New key
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Make a new publishable key?"
        confirmText="Make a new key"
        loading={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        Nothing ends yet: the present key keeps working and moves to the older keys. Ship the new key with your next app
        release, and end the old key when no app in use has it any more.
      </ConfirmDialog>
    </>
  );
}
