/** Who may open which address, decided before its page is loaded. */
import toast from "react-hot-toast";
import { redirect } from "react-router";
import { api, send } from "@/lib/api";
import { endSession, sessionToken } from "@/lib/session";
import { readStored } from "@/lib/storage";

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
  const isOwn = path !== null && /^\/(?![/\\])/.test(path) && !/^\/(login|logout|register)\b/.test(path);
  return isOwn && path !== null ? path : "/dashboard";
}

export function guestsOnly() {
  return sessionToken() === null ? null : redirect("/dashboard");
}

export function membersOnly({ request }: { request: Request }) {
  if (sessionToken() !== null) return null;
  const { pathname, search } = new URL(request.url);
  if (pathname !== "/") rememberReturn(pathname + search);
  if (/^\/projects\/(?!create$)[^/]/.test(pathname)) {
    toast.error("Authentication error. Please log in again.", { id: "session" });
  }
  return redirect("/login");
}

/** Leaves at once, whether or not the server can be told. */
export function logOut() {
  const token = readStored("authToken");
  if (token !== null) {
    send(api.POST("/api/auth/logout", { headers: { Authorization: `Bearer ${token}` } })).catch(() => {
      // The token is forgotten here; on the server it ends by itself.
    });
  }
  endSession("logout");
  return redirect("/login");
}
