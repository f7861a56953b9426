/** On pages that work with and without a session: who is logged in, and the way back. */
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { onSessionEnd, sessionToken, storedUser } from "@/lib/session";
import { Notice } from "@/ui/notice";
import { AuthFootnote } from "./auth-layout";

const readSession = () => ({ isSignedIn: sessionToken() !== null, user: storedUser() });

/** Who is logged in, as this browser knows it: the server is not asked, since a refusal would lead away from the page. */
export function useSignedIn() {
  const [session, setSession] = useState(readSession);
  useEffect(() => onSessionEnd(() => setSession(readSession())), []);
  return session;
}

type Session = ReturnType<typeof useSignedIn>;

/** `children`: what the page does to the session. */
export function SignedInNote({ session: { isSignedIn, user }, children }: { session: Session; children?: ReactNode }) {
  if (!isSignedIn) return null;
  return (
    <Notice tone="plain">
      You are logged in{user === undefined ? "" : ` as ${user.name} (${user.email})`}.{children}
    </Notice>
  );
}

export function WayBack({ session: { isSignedIn } }: { session: Session }) {
  return (
    <AuthFootnote>
      {isSignedIn ? <Link to="/dashboard">Back to the dashboard</Link> : <Link to="/login">Back to log in</Link>}
    </AuthFootnote>
  );
}
