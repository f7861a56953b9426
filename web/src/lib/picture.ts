/** The address of a picture that this server keeps; null for any other, which the page's policy would not load. */
export function pictureOf(value: unknown, width: 64 | 256): string | null {
  if (typeof value !== "string" || value === "") return null;
  try {
    const { origin, pathname } = new URL(value, window.location.origin);
    return origin === window.location.origin && pathname.startsWith("/media/") ? `${pathname}?w=${width}` : null;
  } catch {
    return null;
  }
}
