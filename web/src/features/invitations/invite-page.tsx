/** /invite/{token}: where the link of an invitation's mail leads, for whoever follows it. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect } from "react";
import toast from "react-hot-toast";
import { Link, useNavigate, useParams } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Answer, User } from "@/lib/api-types";
import { keepProject } from "@/lib/project";
import { useMe } from "@/lib/queries";
import { apiQuery, invalidate } from "@/lib/query";
import { meaningOf, withArticle } from "@/lib/roles";
import { sessionToken } from "@/lib/session";
import { formatDay } from "@/lib/time";
import { Notice } from "@/ui/notice";
import { Stack, Text } from "@/ui/parts";

type Invitation = Answer<"/api/invitations/{token}", "get">;
/** The split page around it, which is that of the account pages. */
type Frame = ComponentType<{ title: string; lead?: ReactNode; children: ReactNode }>;

const OFFLINE = "The server could not be reached. Check your connection and try again.";
const TITLE = "Your invitation";

/** `onLeave` remembers this address, to come back here after the login. */
export function InvitePage({ Frame, onLeave }: { Frame: Frame; onLeave: (path: string) => void }) {
  const { token = "" } = useParams();
  const isSignedIn = sessionToken() !== null;
  const me = useMe();
  const invitation = useQuery(apiQuery("/api/invitations/{token}", { path: { token } }));
  const failed = invitation.isError ? invitation : isSignedIn && me.isError ? me : null;
  if (invitation.error instanceof ApiError && [404, 410].includes(invitation.error.status)) {
    if (invitation.error.code !== "invitation_accepted") {
      return <Dead Frame={Frame} error={invitation.error} isSignedIn={isSignedIn} />;
    }
    return isSignedIn ? (
      <Joined Frame={Frame} token={token} />
    ) : (
      <Used Frame={Frame} onLeave={() => onLeave(`/invite/${token}`)} />
    );
  }
  if (failed !== null) {
    return (
      <Frame title={TITLE}>
        <Notice
          tone="bad"
          action={
            <Button size="xs" loading={failed.isFetching} onClick={() => void failed.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(failed.error, OFFLINE)}
        </Notice>
      </Frame>
    );
  }
  if (invitation.data === undefined || (isSignedIn && me.data === undefined)) {
    return (
      <Frame title={TITLE}>
        <p role="status">Looking the invitation up...</p>
      </Frame>
    );
  }
  const { inviterName, projectName, email, role, expiresAt } = invitation.data;
  const leave = () => onLeave(`/invite/${token}`);
  return (
    <Frame
      title={`Join ${projectName}`}
      lead={
        <>
          <b>{inviterName}</b> invites <b>{email}</b> to work on {projectName} as <b>{withArticle(role)}</b>.
        </>
      }
    >
      <Stack gap={12}>
        <Text px={14} py={12} mb={4} fill="sunken" radius="m" size="s" tone="ink-2">
          {meaningOf[role]} The invitation ends {formatDay(expiresAt)}.
        </Text>
        {me.data === undefined ? (
          <Guest email={email} token={token} onLeave={leave} />
        ) : me.data.email.toLowerCase() === email.toLowerCase() ? (
          <Acceptance token={token} invitation={invitation.data} user={me.data} />
        ) : (
          <SomebodyElse user={me.data} email={email} onLeave={leave} />
        )}
      </Stack>
    </Frame>
  );
}

function Guest({ email, token, onLeave }: { email: string; token: string; onLeave: () => void }) {
  const known = { email, invitation: token };
  return (
    <>
      <Button component={Link} to="/login" state={known} variant="filled" size="md" fullWidth onClick={onLeave}>
        Log in
      </Button>
      <Button component={Link} to="/register" state={known} size="md" fullWidth onClick={onLeave}>
        Sign up
      </Button>
      <Text size="note" tone="ink-2">
        Use {email}: the invitation is for this address. Who signs up with it is in the project as soon as the address
        is verified.
      </Text>
    </>
  );
}

function SomebodyElse({ user, email, onLeave }: { user: User; email: string; onLeave: () => void }) {
  return (
    <>
      <Notice tone="warn">
        You are logged in as {user.email}. This invitation is for {email}: log out, and come back with that account.
      </Notice>
      <Button component={Link} to="/logout" variant="filled" size="md" fullWidth onClick={onLeave}>
        Log out
      </Button>
      <Button component={Link} to="/dashboard" size="md" fullWidth>
        Stay as {user.name}
      </Button>
    </>
  );
}

/** Joins by the link, and opens the project. Who joined by it already gets there just the same. */
function useAccept(token: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => take(api.POST("/api/invitations/{token}/accept", { params: { path: { token } } })),
    onSuccess: async (project) => {
      keepProject(queryClient, project.projectId, project);
      void invalidate(queryClient, "/api/projects");
      void invalidate(queryClient, "/api/activity");
      toast.success(`You are in ${project.name}.`, { id: "joined" });
      await navigate(`/projects/${project.projectId}/general`, { replace: true });
    },
  });
}

function Acceptance({ token, invitation, user }: { token: string; invitation: Invitation; user: User }) {
  const accept = useAccept(token);
  if (!user.isVerified) {
    return (
      <>
        <Notice tone="warn">
          Verify your email first: follow the link in the mail we sent to {user.email}. You are in{" "}
          {invitation.projectName} as soon as that is done.
        </Notice>
        <Button component={Link} to="/dashboard" size="md" fullWidth>
          Go to the dashboard
        </Button>
      </>
    );
  }
  return (
    <>
      {accept.isError && (
        <Notice tone="bad">{messageOf(accept.error, "Failed to accept the invitation.", OFFLINE)}</Notice>
      )}
      <Button
        variant="filled"
        size="md"
        fullWidth
        data-autofocus
        loading={accept.isPending}
        onClick={() => accept.mutate()}
      >
        Accept
      </Button>
      <Text size="note" tone="ink-2">
        You are logged in as {user.email}. You can decline on the <Link to="/dashboard">dashboard</Link>.
      </Text>
    </>
  );
}

/** The page of a link that no longer works, with the reason. */
function Dead({ Frame, error, isSignedIn }: { Frame: Frame; error: ApiError; isSignedIn: boolean }) {
  return (
    <Frame title="This invitation no longer works" lead={messageOf(error, "Ask to be invited again.")}>
      <Button component={Link} to={isSignedIn ? "/dashboard" : "/login"} variant="filled" size="md" fullWidth>
        {isSignedIn ? "Go to the dashboard" : "Log in"}
      </Button>
    </Frame>
  );
}

/** Most who follow a used link used it themselves, and are only not logged in yet. */
function Used({ Frame, onLeave }: { Frame: Frame; onLeave: () => void }) {
  return (
    <Frame
      title="Welcome back"
      lead="This invitation was used. If it was you, you are in the project: log in to open it."
    >
      <Button component={Link} to="/login" variant="filled" size="md" fullWidth onClick={onLeave}>
        Log in
      </Button>
    </Frame>
  );
}

/** Goes on to the project at once, where this person is in it by a link that was used; accepting again changes nothing. */
function Joined({ Frame, token }: { Frame: Frame; token: string }) {
  const { mutate, error } = useAccept(token);
  useEffect(() => mutate(), [mutate]);
  if (error instanceof ApiError) return <Dead Frame={Frame} error={error} isSignedIn />;
  return (
    <Frame title={TITLE}>
      {error === null ? (
        <p role="status">Opening the project...</p>
      ) : (
        <Notice
          tone="bad"
          action={
            <Button size="xs" onClick={() => mutate()}>
              Try again
            </Button>
          }
        >
          {OFFLINE}
        </Notice>
      )}
    </Frame>
  );
}
