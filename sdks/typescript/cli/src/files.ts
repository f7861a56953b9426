/** Files of the app: found by patterns, and written whole or not at all. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SKIPPED = new Set(["node_modules", ".git", ".next", ".nuxt", ".svelte-kit", "dist", "build", "coverage"]);

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Writes a file by renaming a new file into its place. Returns false, and leaves the file alone, if it has this text. */
export function writeIfChanged(path: string, text: string, mode = 0o666): boolean {
  if (readText(path) === text) return false;
  writeBytes(path, Buffer.from(text), mode);
  return true;
}

/** Writes a file by renaming a new file into its place. */
export function writeBytes(path: string, bytes: Uint8Array, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, bytes, { mode });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Returns `value` as JSON whose objects have their keys in order, so that equal content is equal text. */
export function toJson(value: unknown): string {
  const sort = (_: string, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  return `${JSON.stringify(value, sort, 2)}\n`;
}

const SPECIAL: Readonly<Record<string, string>> = { "**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]" };

/** The regular expression of a pattern with `**`, `*`, `?` and `{a,b}`; a place like `{language}` becomes the group of this name. */
export function patternOf(pattern: string, places: Readonly<Record<string, string>> = {}): RegExp {
  const named = new Set<string>();
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|\{([^{}]*)\}|[\\^$.|+()[\]{}]/g, (found, inner?: string) => {
    if (inner === undefined) return SPECIAL[found] ?? `\\${found}`;
    const place = places[inner];
    if (place !== undefined && named.has(inner)) return `\\k<${inner}>`;
    named.add(inner);
    if (place !== undefined) return `(?<${inner}>${place})`;
    return `(?:${inner
      .split(",")
      .map((one) => patternOf(one).source.slice(1, -1))
      .join("|")})`;
  });
  return new RegExp(`^${source}$`);
}

/** The folders that a pattern names before its first special character. */
function baseOf(pattern: string): string {
  const start = pattern.split(/[*?{]/, 1)[0] as string;
  return start.slice(0, Math.max(0, start.lastIndexOf("/")));
}

/** Returns the paths below `folder` that match a pattern, in order. Folders of packages and builds are left out. */
export function findFiles(
  folder: string,
  patterns: readonly string[],
  places: Readonly<Record<string, string>> = {},
): string[] {
  const found = new Set<string>();
  const plain = patterns.map((one) => one.replace(/^(?:\.\/)+/, ""));
  const expressions = plain.map((one) => patternOf(one, places));
  const walk = (below: string) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(path);
      } else if (expressions.some((one) => one.test(path))) found.add(path);
    }
  };
  for (const base of new Set(plain.map(baseOf)))
    if (statSync(join(folder, base), { throwIfNoEntry: false })?.isDirectory()) walk(base);
  return [...found].sort();
}
