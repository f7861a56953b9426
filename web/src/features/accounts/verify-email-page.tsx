/** Where the links of the verification mail lead: verify, or take back a sign-up that was not yours. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import { VERIFY_LINK_LIFE_SECONDS } from "@/lib/limits.gen";
import { invalidate, keyOf } from "@/lib/query";
import { sessionToken } from "@/lib/session";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import type { Handover } from "./handover";
import { ResendForm } from "./resend-form";

const OFFLINE = "The server could not be reached. Check your connection and try again.";

export function VerifyEmailPage() {
  const { token = "" } = useParams();
  const [search] = useSearchParams();
  return search.has("not-me") ? <Withdraw token={token} /> : <Verify token={token} />;
}

function Verify({ token }: { token: string }) {
  const queryClient = useQueryClient();
  // A query, since a link works once: however often the page is drawn, it is followed once.
  const verification = useQuery({
    queryKey: keyOf("/api/auth/verify-email/{token}", { path: { token } }),
    queryFn: () => take(api.POST("/api/auth/verify-email/{token}", { params: { path: { token } } })),
    retry: false,
    retryOnMount: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const isSignedIn = sessionToken() !== null;
  useEffect(() => {
    if (verification.isSuccess) void invalidate(queryClient, "/api/user/me");
  }, [verification.isSuccess, queryClient]);

  if (verification.isPending) {
    return (
      <AuthLayout title="Verify your email">
        <p role="status">Checking the link...</p>
      </AuthLayout>
    );
  }
  if (verification.isSuccess) {
    const handover: Handover = { email: verification.data.email };
    return (
      <AuthLayout title="Your email is verified" lead={isSignedIn ? "You can go on now." : "Log in to go on."}>
        <Button
          component={Link}
          to={isSignedIn ? "/dashboard" : "/login"}
          state={handover}
          variant="filled"
          size="md"
          fullWidth
        >
          {isSignedIn ? "Go to the dashboard" : "Log in"}
        </Button>
      </AuthLayout>
    );
  }
  const isDead = verification.error instanceof ApiError && verification.error.status < 500;
  return (
    <AuthLayout
      title={isDead ? "This link no longer works" : "Verify your email"}
      lead={
        isDead
          ? `A link works once and for ${VERIFY_LINK_LIFE_SECONDS / 3_600} hours, and a newer mail replaces it. If you have verified already, just log in.`
          : undefined
      }
    >
      <Stack gap={16}>
        {isDead ? (
          <ResendForm />
        ) : (
          <Notice
            tone="bad"
            action={
              <Button size="xs" onClick={() => void verification.refetch()} loading={verification.isFetching}>
                Try again
              </Button>
            }
          >
            {messageOf(verification.error, OFFLINE)}
          </Notice>
        )}
      </Stack>
      <AuthFootnote>
        <Link to="/login">Back to log in</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}

function Withdraw({ token }: { token: string }) {
  const withdrawal = useMutation({
    mutationFn: () => take(api.DELETE("/api/auth/verify-email/{token}", { params: { path: { token } } })),
  });
  return (
    <AuthLayout
      title="This was not you?"
      lead={
        withdrawal.isSuccess
          ? undefined
          : "Somebody signed up with your email address. Remove the sign-up, and nothing is kept of it."
      }
    >
      <Stack gap={16}>
        {withdrawal.isError && <Notice tone="bad">{messageOf(withdrawal.error, OFFLINE)}</Notice>}
        {withdrawal.isSuccess ? (
          <Notice tone="ok" takesFocus>
            {withdrawal.data.message}
          </Notice>
        ) : (
          <Button
            variant="filled"
            color="red"
            size="md"
            fullWidth
            loading={withdrawal.isPending}
            onClick={() => withdrawal.mutate()}
          >
            Remove the sign-up
          </Button>
        )}
      </Stack>
      <AuthFootnote>
        <Link to="/">To the start</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}
