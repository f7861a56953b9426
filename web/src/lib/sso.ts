/** The ways into this server: single sign-on and its failures, and who may create an account. */
import { BASE } from "./base";
import { apiQuery } from "./query";

/** For a link, since the browser leaves the dashboard. */
export const SSO_START = `${BASE}/api/auth/sso/start`;

const REMEMBER = "ssoRemember";

const forever = { staleTime: Number.POSITIVE_INFINITY };

export const ssoQuery = apiQuery("/api/auth/sso", {}, { select: ({ name }) => name, ...forever });

/** Who may create an account on this server. */
export const registrationQuery = apiQuery(
  "/api/auth/sso",
  {},
  { select: ({ registration }) => registration, ...forever },
);

/** Keeps the choice of 'Remember me' in this tab, while the browser is at the provider. */
export function keepRemember(remember: boolean): void {
  try {
    if (remember) window.sessionStorage.removeItem(REMEMBER);
    else window.sessionStorage.setItem(REMEMBER, "no");
  } catch {
    // Without session storage the login is remembered, as by default.
  }
}

/** The kept choice, once. */
export function takeRemember(): boolean {
  try {
    const kept = window.sessionStorage.getItem(REMEMBER);
    window.sessionStorage.removeItem(REMEMBER);
    return kept === null;
  } catch {
    return true;
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  off: "This server has no single sign-on.",
  busy: "Too many attempts. Try again in a minute.",
  expired: "This login has expired, or it began in another browser. Please try again.",
  denied: "The login was cancelled.",
  unavailable: "The login service can't be reached right now. Please try again.",
  refused: "The answer of the login service was not accepted. Please try again.",
  no_email: "The login service gave no email address, so there is no account to open.",
  unverified: "The login service has not verified your email address.",
  has_password: "Log in with your password first, then connect single sign-on in Settings.",
  other_identity: "Your account is connected to a different identity at the login service.",
  taken: "This identity is connected to a different Livery account.",
};

/** The sentence for `#sso=<code>` of an address; null without such a failure. */
export function ssoFailureIn(hash: string): string | null {
  const code = new URLSearchParams(hash.slice(1)).get("sso");
  if (code === null || code === "connected") return null;
  return (Object.hasOwn(FAILURES, code) && FAILURES[code]) || "The login did not work. Please try again.";
}
