import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { api, messageOf, take } from "@/lib/api";
import { invalidate } from "@/lib/query";
import { formatDay } from "@/lib/time";
import { Badge } from "@/ui/badge";
import { look } from "@/ui/look";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { RelativeTime } from "@/ui/relative-time";
import { ErrorState, LoadingRows } from "@/ui/states";
import { deviceOf } from "./device";
import { type Session, sessionsQuery } from "./queries";

export function SessionsSection() {
  const { data: sessions, error, isError, refetch } = useQuery(sessionsQuery);
  return (
    <Panel
      title="Sessions"
      aside={
        <Link to="/settings/activity" className={look({ size: "s" })}>
          Account activity
        </Link>
      }
    >
      {sessions !== undefined ? (
        <ul aria-label="Sessions">
          {sessions
            .toSorted((a, b) => Number(b.current) - Number(a.current))
            .map((session) => (
              <SessionRow key={session._id} session={session} />
            ))}
        </ul>
      ) : isError ? (
        <ErrorState message={messageOf(error, "Failed to fetch your sessions.")} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={2} height={60} label="Loading sessions" />
      )}
    </Panel>
  );
}

function SessionRow({ session }: { session: Session }) {
  const queryClient = useQueryClient();
  const device = deviceOf(session.userAgent);
  const revoke = useMutation({
    mutationFn: () =>
      take(api.DELETE("/api/user/sessions/{sessionId}", { params: { path: { sessionId: session._id } } })),
    onSuccess: () => toast.success(`${device} was logged out.`),
    onError: (error) => toast.error(messageOf(error, "Failed to end the session.")),
    onSettled: () => invalidate(queryClient, "/api/user/sessions"),
  });
  return (
    <PanelRow as="li">
      <RowText
        name={
          <>
            {device} {session.current && <Badge tone="ok">This device</Badge>}
          </>
        }
        isStrong
        title={session.userAgent}
      >
        {session.current ? (
          "In use now"
        ) : (
          <>
            Last used <RelativeTime moment={session.lastUsedAt} />
          </>
        )}{" "}
        · logged in {formatDay(session.createdAt)}
      </RowText>
      {!session.current && (
        <Button size="xs" loading={revoke.isPending} aria-label={`Revoke ${device}`} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      )}
    </PanelRow>
  );
}
