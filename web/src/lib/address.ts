/** Parts of an address as they are shown. */

/** Returns the path, or a part of it, without percent escapes; null if an escape is broken. */
export function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
