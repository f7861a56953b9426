/** Who may open which address, decided before its page is loaded. */
import toast from "react-hot-toast";
import { redirect } from "react-router";
import { pathBelow } from "@/lib/base";
import { endOwnSession } from "@/lib/log-out";
import { sessionToken } from "@/lib/session";

const RETURN_TO = "returnTo";

/** Where to go after the next login; kept for this tab only. */
export function rememberReturn(path: string): void {
  try {
    window.sessionStorage.setItem(RETURN_TO, path);
  } catch {
    // Without session storage the dashboard is a good place to return to.
  }
}

/** The remembered address, once; else the dashboard. Only an address within the dashboard is ever given. */
export function takeReturn(): string {
  let path: string | null = null;
  try {
    path = window.sessionStorage.getItem(RETURN_TO);
    window.sessionStorage.removeItem(RETURN_TO);
  } catch {
    // As above.
  }
  const isOwn = path !== null && /^\/(?![/\\])/.test(path) && !/^\/(login|logout|register|sso)\b/.test(path);
  return isOwn && path !== null ? path : "/dashboard";
}

export function guestsOnly() {
  return sessionToken() === null ? null : redirect("/dashboard");
}

/** Takes the email of a mail's link out of the address, so that a copied address does not have it. */
function takeLinkedEmail(): string | null {
  const { hash, pathname, search } = window.location;
  const email = new URLSearchParams(hash.slice(1)).get("email");
  if (email !== null) window.history.replaceState(window.history.state, "", pathname + search);
  return email;
}

/** A mail's link to a page of members has the recipient's email: the login page has its field filled in. */
export function membersOnly({ request }: { request: Request }) {
  const email = takeLinkedEmail();
  if (sessionToken() !== null) return null;
  const { pathname: address, search } = new URL(request.url);
  const pathname = pathBelow(address);
  if (pathname !== "/") rememberReturn(pathname + search);
  if (/^\/projects\/(?!create$)[^/]/.test(pathname)) {
    toast.error("Authentication error. Please log in again.", { id: "session" });
  }
  return redirect(email === null ? "/login" : `/login#email=${encodeURIComponent(email)}`);
}

/** Whether the page at this address goes on when a session ends: its link must not be lost. */
export const outlivesSession = (pathname: string): boolean => /^\/(forgot|reset)-password\b/.test(pathname);

export function logOut() {
  endOwnSession("logout");
  return redirect("/login");
}
