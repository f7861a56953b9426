/** Remembers in this tab whose session ended, for the login page. */
const ENDED = "endedSessionOf";

/** Null when somebody logs in. */
export function noteSessionEnd(user: string | null): void {
  try {
    if (user === null) window.sessionStorage.removeItem(ENDED);
    else window.sessionStorage.setItem(ENDED, user);
  } catch {
    // The login page does not mention the text; it is offered all the same.
  }
}

/** The id of the person; null where no session ended, or where the browser forbids storage. */
export function endedSessionOf(): string | null {
  try {
    return window.sessionStorage.getItem(ENDED);
  } catch {
    return null;
  }
}
