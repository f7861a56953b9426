/** Ends the session of this browser, here and on the server. */
import { api, send } from "./api";
import { type EndReason, endSession } from "./session";
import { readStored } from "./storage";

/** Ends the session at once, also when the server can't be reached. Does nothing without a session. */
export function endOwnSession(reason: EndReason): void {
  const token = readStored("authToken");
  if (token === null) return;
  send(api.POST("/api/auth/logout", { headers: { Authorization: `Bearer ${token}` } })).catch(() => {
    // The token is forgotten here; on the server it ends by itself.
  });
  endSession(reason);
}
