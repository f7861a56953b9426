import { BASE } from "./base";

/** The address of a picture that this server keeps; null for any other, which the page's policy would not load. */
export function pictureOf(value: unknown, width: 64 | 256): string | null {
  if (typeof value !== "string" || value === "") return null;
  try {
    // A path is that of an image of the project, wherever the server is.
    const { origin, pathname } = new URL(value.startsWith("/media/") ? BASE + value : value, window.location.origin);
    const isOurs = origin === window.location.origin && pathname.startsWith(`${BASE}/media/`);
    return isOurs ? `${pathname}?w=${width}` : null;
  } catch {
    return null;
  }
}
