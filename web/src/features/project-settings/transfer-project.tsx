/** For the owner: offers the project to one of its admins, and shows the open offer. */
import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { invalidate } from "@/lib/query";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { look } from "@/ui/look";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Row } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import classes from "./transfer-project.module.css";

export function TransferProject({ project }: { project: Project }) {
  return project.transfer === null ? (
    <Offer project={project} />
  ) : (
    <Waiting projectId={project.projectId} transfer={project.transfer} />
  );
}

function Offer({ project: { projectId, name, members } }: { project: Project }) {
  const admins = members.filter(({ role, status }) => role === "admin" && status === "active");
  const [chosen, setChosen] = useState("");
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const successor = admins.find(({ user }) => user._id === chosen)?.user;
  const offer = useMutation({
    mutationFn: (userId: string) =>
      take(api.POST("/api/projects/{projectId}/transfer", { params: { path: { projectId } }, body: { userId } })),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failureOf(error, "Failed to offer the project.")),
    onSettled: async (_, error) => {
      if (isUnreachable(error)) return;
      await invalidate(client, "/api/projects/{projectId}", { path: { projectId } });
      setAsking(false);
    },
  });
  return (
    <PanelRow>
      <RowText name="Transfer this project">
        {admins.length === 0
          ? "Only an admin can take it over. Give a member the admin role first."
          : "To one of its admins, who has to accept. You become an admin; the plan stays with the project."}
      </RowText>
      {admins.length > 0 && (
        <Row gap={8} shrink className={classes["choice"]}>
          <NativeSelect
            size="xs"
            aria-label="New owner"
            value={successor === undefined ? "" : chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={[
              { value: "", label: "Choose an admin" },
              ...admins.map(({ user }) => ({ value: user._id, label: `${user.name} (${user.email})` })),
            ]}
          />
          <Button
            size="xs"
            className={look({ rigid: true })}
            disabled={successor === undefined}
            onClick={() => setAsking(true)}
          >
            Transfer
          </Button>
        </Row>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={`Offer ${name} to ${successor?.name ?? ""}?`}
        confirmText="Offer project"
        tone="warning"
        loading={offer.isPending}
        onConfirm={() => successor !== undefined && offer.mutate(successor._id)}
        onClose={() => setAsking(false)}
      >
        {successor?.name} gets a mail and can accept here. Until then you stay the owner and can withdraw the offer.
        After it, you are an admin: only {successor?.name} can delete or transfer the project, or give it back.
      </ConfirmDialog>
    </PanelRow>
  );
}

function Waiting({ projectId, transfer }: { projectId: string; transfer: NonNullable<Project["transfer"]> }) {
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => take(api.DELETE("/api/projects/{projectId}/transfer", { params: { path: { projectId } } })),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failureOf(error, "Failed to withdraw the offer.")),
    onSettled: () => invalidate(client, "/api/projects/{projectId}", { path: { projectId } }),
  });
  return (
    <PanelRow>
      <RowText
        name={
          <>
            Offered to {transfer.to.name} <RelativeTime moment={transfer.offeredAt} />
          </>
        }
      >
        {transfer.to.email} got a mail. You stay the owner until the offer is accepted.
      </RowText>
      <Button size="xs" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        Withdraw offer
      </Button>
    </PanelRow>
  );
}
