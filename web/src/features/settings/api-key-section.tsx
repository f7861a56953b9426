import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { api, messageOf, take } from "@/lib/api";
import { invalidate, keep } from "@/lib/query";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { copyText } from "@/ui/copy-button";
import { KeyBox } from "@/ui/key-box";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { RelativeTime } from "@/ui/relative-time";
import { ErrorState, LoadingRows } from "@/ui/states";
import { OlderKeys } from "./older-keys";
import { apiKeyQuery, apiKeysQuery } from "./queries";

const FAILED = "Failed to fetch API key";

export function ApiKeySection() {
  const { data: apiKey, error, isError, refetch } = useQuery(apiKeyQuery);
  // Reading the key makes the first key: the list is read after it.
  const { data: all } = useQuery({ ...apiKeysQuery, enabled: apiKey !== undefined });
  useEffect(() => {
    if (error !== null) toast.error(messageOf(error, FAILED), { id: "settings-api-key" });
  }, [error]);
  const copy = () => {
    if (!apiKey) toast.error("No API key to copy.");
    else void copyText(apiKey, "API Key copied!");
  };
  const current = all?.find((key) => key.current);
  return (
    <Panel
      title="Developer API Key"
      aside={
        <Button size="xs" onClick={copy}>
          Copy Key
        </Button>
      }
    >
      {apiKey !== undefined ? (
        <>
          <KeyBox value={apiKey} label="Show key" />
          <PanelRow>
            <RowText>
              It reads the published content of every project you work in. Keep it on your machine and in your tools;
              apps ship the publishable key of their project.
              {current !== undefined && (
                <>
                  {" "}
                  {current.lastUsedAt === null ? (
                    "Not used yet."
                  ) : (
                    <>
                      Last used <RelativeTime moment={current.lastUsedAt} />.
                    </>
                  )}
                </>
              )}
            </RowText>
            <RotateButton />
          </PanelRow>
          <OlderKeys apiKeys={all?.filter((key) => !key.current) ?? []} />
        </>
      ) : isError ? (
        <ErrorState message={messageOf(error, FAILED)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={2} height={60} label="Loading the API key" />
      )}
    </Panel>
  );
}

function RotateButton() {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => take(api.POST("/api/user/apikey/rotate")),
    onSuccess: (made) => {
      keep(queryClient, "/api/user/apikey", {}, made);
      toast.success("You have a new API key.");
      return invalidate(queryClient, "/api/user/apikeys");
    },
    onError: (error) => toast.error(messageOf(error, "Failed to make a new API key.")),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button size="xs" onClick={() => setAsking(true)}>
        New key
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Make a new API key?"
        confirmText="Make a new key"
        loading={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        Nothing ends yet: the present key keeps working and moves to the older keys. When your tools use the new key,
        end the old key there; from then on it is refused.
      </ConfirmDialog>
    </>
  );
}
