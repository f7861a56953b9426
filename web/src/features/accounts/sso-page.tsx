/** Where a login at the provider of single sign-on leads back: the one-time code of the address becomes a session. */
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import { SSO_START, takeRemember } from "@/lib/sso";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import { enter } from "./enter";

const OFFLINE = "The server could not be reached. Check your connection and try again.";
const EXPIRED = "This login has expired. Please try again.";

/** `onNext` gets the page that the login was begun for; `destination` gives the address to go to after success, once. */
export function SsoPage({ destination, onNext }: { destination: () => string; onNext: (path: string) => void }) {
  const [given] = useState(new URLSearchParams(useLocation().hash.slice(1)));
  const code = given.get("code") ?? "";
  const next = given.get("next");
  const [failure, setFailure] = useState<{ text: string; isOver: boolean } | null>(
    code === "" ? { text: EXPIRED, isOver: true } : null,
  );
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isStarted = useRef(false);

  const logIn = useCallback(async () => {
    setFailure(null);
    try {
      const entry = await take(api.POST("/api/auth/sso/session", { body: { code } }));
      enter(queryClient, entry, { remember: takeRemember() });
      if (next !== null) onNext(next);
      await navigate(destination(), { replace: true });
    } catch (error) {
      const isOver = error instanceof ApiError && error.status < 500 && error.status !== 429;
      setFailure({ text: messageOf(error, isOver ? EXPIRED : OFFLINE, OFFLINE), isOver });
    }
  }, [code, next, destination, navigate, onNext, queryClient]);

  useEffect(() => {
    // The code works once; it is of no use to who reads the address or the history.
    if (window.location.hash !== "") window.history.replaceState(window.history.state, "", window.location.pathname);
    if (isStarted.current || code === "") return;
    isStarted.current = true;
    void logIn();
  }, [code, logIn]);

  const again = failure?.isOver ? (
    <Button size="xs" component="a" href={SSO_START}>
      Log in again
    </Button>
  ) : (
    <Button size="xs" onClick={() => void logIn()}>
      Try again
    </Button>
  );
  return (
    <AuthLayout title="Log in to Livery">
      <Stack gap={16}>
        {failure === null ? (
          <p role="status">Logging you in...</p>
        ) : (
          <Notice tone="bad" action={again}>
            {failure.text}
          </Notice>
        )}
      </Stack>
      <AuthFootnote>
        <Link to="/login">Back to log in</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}
