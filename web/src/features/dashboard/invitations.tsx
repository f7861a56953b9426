import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { useNavigate } from "react-router";
import { api, failureOf, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { keepProject } from "@/lib/project";
import { apiQuery, invalidate } from "@/lib/query";
import { withArticle } from "@/lib/roles";
import { formatDay } from "@/lib/time";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { focusPageIfStaysLost } from "@/ui/focus";
import { look } from "@/ui/look";
import { Panel } from "@/ui/page";
import { Text } from "@/ui/parts";
import classes from "./dashboard-page.module.css";

type Invitation = Answer<"/api/user/invitations", "get">["invitations"][number];

/** The invitations to the user's address, to accept or decline. Shows nothing if there are no invitations. */
export function Invitations() {
  const { data } = useQuery(apiQuery("/api/user/invitations", {}, { refetchOnWindowFocus: "always" }));
  if (data === undefined || data.invitations.length === 0) return null;
  return (
    <Panel title="Invitations">
      <ul>
        {data.invitations.map((invitation) => (
          <Row key={invitation._id} invitation={invitation} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ invitation: { _id, inviterName, projectName, role, expiresAt } }: { invitation: Invitation }) {
  const [isAsking, setAsking] = useState(false);
  const { accept, decline } = useAnswers(_id);
  return (
    <li
      className={look(
        { layout: "row", align: "baseline", gap: 16, px: 16, py: 11, minH: 44, lineAbove: true },
        classes["entry"],
      )}
    >
      <p className={look({ grow: true, shrink: true, breaks: true })}>
        <b>{inviterName}</b> invites you to <b>{projectName}</b> as {withArticle(role)}.{" "}
        <Text as="span" tone="ink-2">
          Ends {formatDay(expiresAt)}.
        </Text>
      </p>
      <div className={look({ layout: "row", gap: 8 })}>
        <Button size="xs" aria-label={`Decline ${projectName}`} onClick={() => setAsking(true)}>
          Decline
        </Button>
        <Button
          size="xs"
          variant="filled"
          aria-label={`Accept ${projectName}`}
          loading={accept.isPending}
          onClick={() => accept.mutate()}
        >
          Accept
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        tone="warning"
        title="Decline the invitation?"
        confirmText="Decline"
        loading={decline.isPending}
        onConfirm={() => decline.mutate(undefined, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        You do not join {projectName}. To join it later, you need a new invitation.
      </ConfirmDialog>
    </li>
  );
}

function useAnswers(invitationId: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const path = { params: { path: { invitationId } } };
  const readAgain = () => invalidate(queryClient, "/api/user/invitations");
  const accept = useMutation({
    mutationFn: () => take(api.POST("/api/user/invitations/{invitationId}/accept", path)),
    onSuccess: async (project) => {
      keepProject(queryClient, project.projectId, project);
      void invalidate(queryClient, "/api/projects");
      void invalidate(queryClient, "/api/activity");
      toast.success(`You are in ${project.name}.`, { id: "joined" });
      await navigate(`/projects/${project.projectId}/general`);
    },
    onError: (error) => toast.error(failureOf(error, "Failed to accept the invitation.")),
    onSettled: readAgain,
  });
  const decline = useMutation({
    mutationFn: () => take(api.DELETE("/api/user/invitations/{invitationId}", path)),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failureOf(error, "Failed to decline the invitation.")),
    onSettled: async () => {
      await readAgain();
      // The question goes with its invitation.
      focusPageIfStaysLost();
    },
  });
  return { accept, decline };
}
