import { useEffect, useState } from "react";
import { useLocation, useParams } from "react-router";

/**
 * Returns the token of a mail's link. When the page opens, the token is removed from the address bar and the browser's
 * history: both are read over shoulders and kept by others. The history's own state keeps it, so a reload still works.
 */
export function useLinkToken(): string {
  const { token: written = "" } = useParams();
  const state: unknown = useLocation().state;
  const kept =
    typeof state === "object" && state !== null && "linkToken" in state && typeof state.linkToken === "string"
      ? state.linkToken
      : null;
  const [token] = useState(kept ?? written);
  useEffect(() => {
    const { pathname } = window.location;
    if (kept !== null || written === "" || !pathname.endsWith(`/${written}`)) return;
    const address = `${pathname.slice(0, -written.length)}link`;
    // Past the router, for which this page stays the same; `usr` is where it keeps a location's state.
    window.history.replaceState({ ...window.history.state, usr: { linkToken: written } }, "", address);
  }, [kept, written]);
  return token;
}
