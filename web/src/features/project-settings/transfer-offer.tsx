/** For the admin to whom the project is offered: what accepting means, and both answers. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useMe } from "@/lib/queries";
import { invalidate, invalidateProject } from "@/lib/query";
import { Notice } from "@/ui/notice";
import { Row } from "@/ui/parts";
import classes from "./project-settings.module.css";

export function TransferOffer({ project }: { project: Project }) {
  const { data: me } = useMe();
  const { accept, decline } = useAnswers(project.projectId);
  if (project.transfer === null || project.transfer.to._id !== me?._id) return null;
  const owner = project.members.find(({ role }) => role === "owner")?.user.name ?? "The owner";
  const isPending = accept.isPending || decline.isPending;
  return (
    <Notice
      tone="warn"
      action={
        <Row wrap align="center" gap={8} className={classes["answers"]}>
          <Button size="xs" disabled={isPending} onClick={() => decline.mutate()}>
            Decline
          </Button>
          <Button size="xs" variant="filled" loading={accept.isPending} onClick={() => accept.mutate()}>
            Accept
          </Button>
        </Row>
      }
    >
      {owner} offers you this project. Once you accept, you own it with its plan, and {owner} is an admin.
    </Notice>
  );
}

function useAnswers(projectId: string) {
  const client = useQueryClient();
  const path = { params: { path: { projectId } } };
  const refresh = () => invalidateProject(client, projectId);
  const accept = useMutation({
    mutationFn: () => take(api.POST("/api/projects/{projectId}/transfer/accept", path)),
    onSuccess: ({ message }) => {
      toast.success(message);
      void invalidate(client, "/api/projects");
      void invalidate(client, "/api/user/me");
    },
    onError: (error) => toast.error(failureOf(error, "Failed to take over the project.")),
    onSettled: refresh,
  });
  const decline = useMutation({
    mutationFn: () => take(api.DELETE("/api/projects/{projectId}/transfer", path)),
    onSuccess: () => toast.success("You declined. The owner stays the owner."),
    onError: (error) => toast.error(failureOf(error, "Failed to decline.")),
    onSettled: refresh,
  });
  return { accept, decline };
}
