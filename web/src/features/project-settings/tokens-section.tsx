/** The project tokens that work: who made each, what it allows, its last use and its end. For admins and the owner. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, messageOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { listed } from "@/lib/counted";
import { PROJECT_TOKENS } from "@/lib/limits.gen";
import { invalidate } from "@/lib/query";
import { formatDay } from "@/lib/time";
import { Badge } from "@/ui/badge";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconPlugConnectedX } from "@/ui/icons";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Box, Text } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type ProjectToken, tokensQuery } from "./queries";
import { allowanceOf } from "./scopes";

const makeDialog = later(async () => (await import("./make-token-dialog")).MakeTokenDialog, null);
const FAILED = "Failed to fetch the project tokens.";

export function TokensSection({ project }: { project: Project }) {
  const { projectId } = project;
  const [isMaking, setMaking] = useState(false);
  const { data: tokens, error, isError, refetch } = useQuery(tokensQuery(projectId));
  const isFull = tokens !== undefined && tokens.length >= PROJECT_TOKENS;
  return (
    <Panel title="Project tokens">
      <PanelRow>
        <RowText>
          {isFull
            ? `This project has ${PROJECT_TOKENS} tokens, which is the most. End a token to make another token.`
            : "Let programs, such as a pipeline or a script, use this project through the API. Each token ends when the person who made it leaves the project."}
        </RowText>
        <Button size="xs" disabled={isFull} onClick={() => setMaking(true)}>
          Make a token
        </Button>
      </PanelRow>
      {tokens !== undefined ? (
        tokens.length > 0 && (
          <Box as="ul" lineAbove aria-label="Project tokens">
            {tokens.map((token) => (
              <TokenRow key={token._id} projectId={projectId} token={token} />
            ))}
          </Box>
        )
      ) : isError ? (
        <ErrorState message={messageOf(error, FAILED)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={1} height={60} label="Loading the project tokens" />
      )}
      <makeDialog.Part projectId={projectId} opened={isMaking} onClose={() => setMaking(false)} />
    </Panel>
  );
}

function TokenRow({ projectId, token }: { projectId: string; token: ProjectToken }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      take(
        api.DELETE("/api/projects/{projectId}/tokens/{tokenId}", {
          params: { path: { projectId, tokenId: token._id } },
        }),
      ),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failureOf(error, "Failed to end the token.")),
    onSettled: (_, error) => {
      setAsking(isUnreachable(error));
      return invalidate(client, "/api/projects/{projectId}/tokens", { path: { projectId } });
    },
  });
  return (
    <PanelRow as="li">
      <RowText
        isStrong
        name={
          <>
            {token.name}{" "}
            <Text as="span" mono size="xs" tone="ink-3">
              lvt_…{token.hint}
            </Text>
            {token.expiresAt === null && <Badge>No end</Badge>}
          </>
        }
      >
        {listed(token.scopes.map((scope) => allowanceOf[scope].label))}.{" "}
        {token.lastUsedAt === null ? (
          "Not used yet."
        ) : (
          <>
            Last used <RelativeTime moment={token.lastUsedAt} />.
          </>
        )}{" "}
        {token.expiresAt !== null && `Ends ${formatDay(token.expiresAt)}. `}
        Made {formatDay(token.createdAt)}
        {token.createdBy !== null && ` by ${token.createdBy}`}.
      </RowText>
      <Button size="xs" color="red" aria-label={`End token ${token.name}`} onClick={() => setAsking(true)}>
        End
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`End token ${token.name}?`}
        confirmText="End token"
        tone="danger"
        icon={IconPlugConnectedX}
        loading={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => setAsking(false)}
      >
        The next call of a program with this token is refused. This action cannot be undone.
      </ConfirmDialog>
    </PanelRow>
  );
}
