import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import { invalidate } from "@/lib/query";
import { formatDay } from "@/lib/time";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyButton } from "@/ui/copy-button";
import { IconPlugConnectedX } from "@/ui/icons";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Row } from "@/ui/parts";
import type { PublishableKey } from "./queries";

/** A key that was replaced and still works, and the way to end it. */
export function FormerKey({ projectId, publishableKey: item }: { projectId: string; publishableKey: PublishableKey }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      take(
        api.DELETE("/api/projects/{projectId}/publishable-key/{keyId}", {
          params: { path: { projectId, keyId: item._id } },
        }),
      ),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failureOf(error, "Failed to end the key.")),
    onSettled: (_, error) => {
      setAsking(isUnreachable(error));
      return invalidate(client, "/api/projects/{projectId}/publishable-keys", { path: { projectId } });
    },
  });
  const made = `made ${formatDay(item.createdAt)}`;
  const name = item.publishableKey === null ? made : `lvp_…${item.publishableKey.slice(-4)}`;
  return (
    <PanelRow as="li">
      <RowText isCode name={item.publishableKey ?? "lvp_…"}>
        {made}
      </RowText>
      <Row wrap align="center" gap={8}>
        {item.publishableKey !== null && (
          <CopyButton value={item.publishableKey} label={`Copy key ${name}`} copied="Key copied!" />
        )}
        <Button size="xs" color="red" aria-label={`End key ${name}`} onClick={() => setAsking(true)}>
          End
        </Button>
      </Row>
      <ConfirmDialog
        opened={isAsking}
        title={`End key ${name}?`}
        confirmText="End key"
        tone="danger"
        icon={IconPlugConnectedX}
        loading={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => setAsking(false)}
      >
        Apps that still have this key are refused at once: they keep the content they have, and see no later publish.
        When a key was last used is not recorded. This action cannot be undone.
      </ConfirmDialog>
    </PanelRow>
  );
}
