/** Where this server is: at the root of its host, or below a path. */

const written = document.querySelector<HTMLMetaElement>('meta[name="livery-base"]')?.content ?? "";

/** The path below which the server is, such as `/livery`; empty at the root. The server writes it into the page (livery/core/site.py). */
export const BASE = written.startsWith("/") ? written : "";

/** The public address of the server as this browser knows it, without a slash at its end. */
export const SERVER = window.location.origin + BASE;

/** A path of the browser's address as the router's routes have it. */
export function pathBelow(path: string): string {
  if (BASE === "" || (path !== BASE && !path.startsWith(`${BASE}/`))) return path;
  return path.slice(BASE.length) || "/";
}
