/** Keys that were replaced and still work, each with its last use and the way to end it. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, messageOf, take } from "@/lib/api";
import { invalidate } from "@/lib/query";
import { formatDay } from "@/lib/time";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconPlugConnectedX } from "@/ui/icons";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Heading } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import type { ApiKey } from "./queries";

export function OlderKeys({ apiKeys }: { apiKeys: readonly ApiKey[] }) {
  if (apiKeys.length === 0) return null;
  return (
    <>
      <Heading as="h3" px={16} pt={12} lineAbove size="s" tone="ink-2">
        Older keys
      </Heading>
      <ul aria-label="Older keys">
        {apiKeys.map((apiKey) => (
          <OlderKey key={apiKey._id} apiKey={apiKey} />
        ))}
      </ul>
    </>
  );
}

function OlderKey({ apiKey }: { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => take(api.DELETE("/api/user/apikeys/{apiKeyId}", { params: { path: { apiKeyId: apiKey._id } } })),
    onSuccess: () => toast.success("The key was ended."),
    onError: (error) => toast.error(messageOf(error, "Failed to end the key.")),
    onSettled: () => {
      setAsking(false);
      return invalidate(queryClient, "/api/user/apikeys");
    },
  });
  const name = apiKey.hint === null ? `of ${formatDay(apiKey.createdAt)}` : `lvk_…${apiKey.hint}`;
  const lastUse =
    apiKey.lastUsedAt === null ? (
      "Never used"
    ) : (
      <>
        Last used <RelativeTime moment={apiKey.lastUsedAt} />
      </>
    );
  return (
    <PanelRow as="li">
      <RowText isCode name={apiKey.hint === null ? "lvk_…" : name}>
        {lastUse} · made {formatDay(apiKey.createdAt)}
      </RowText>
      <Button size="xs" color="red" aria-label={`End key ${name}`} onClick={() => setAsking(true)}>
        End
      </Button>
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
        {lastUse}. Whatever still uses this key gets no content from now on. This action cannot be undone.
      </ConfirmDialog>
    </PanelRow>
  );
}
