/** Local storage that never throws: a browser may forbid it or be full, and then values live as long as the page. */
const fallback = new Map<string, string>();

/** What could not be written is newer than what local storage has. */
export function readStored(key: string): string | null {
  const unwritten = fallback.get(key);
  if (unwritten !== undefined) return unwritten;
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether the value outlives the page. */
export function writeStored(key: string, value: string): boolean {
  try {
    window.localStorage.setItem(key, value);
    fallback.delete(key);
    return true;
  } catch {
    fallback.set(key, value);
    return false;
  }
}

export function removeStored(key: string): void {
  fallback.delete(key);
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** The keys that begin with one of these. */
export function storedKeys(...prefixes: string[]): string[] {
  const keys = new Set(fallback.keys());
  try {
    for (let index = 0; index < window.localStorage.length; index += 1) {
      const key = window.localStorage.key(index);
      if (key !== null) keys.add(key);
    }
  } catch {
    // The page's own values are left.
  }
  return [...keys].filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
}
