/** Compares the code with the texts of the project. */

import type { Content, Draft } from "./content.js";
import { patternOf } from "./files.js";
import { parametersOf } from "./messages.js";
import type { Use } from "./uses.js";

export const KINDS = [
  "unknown-key",
  "missing-parameter",
  "unused-key",
  "missing-language",
  "missing-translation",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Finding {
  readonly kind: Kind;
  readonly key?: string;
  readonly language?: string;
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
}

/** Returns the texts of all languages by `screen.key`. */
export function textsByKey(contents: readonly Content[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { texts } of contents)
    for (const [screen, keys] of Object.entries(texts))
      for (const [key, text] of Object.entries(keys)) {
        const name = `${screen}.${key}`;
        const known = found.get(name);
        if (known) known.push(text);
        else found.set(name, [text]);
      }
  return found;
}

function placeOf({ file, line }: Use) {
  return { file, line };
}

/** Returns the unknown keys and the missing parameters of the code. */
export function checkUses(uses: readonly Use[], texts: ReadonlyMap<string, readonly string[]>): Finding[] {
  const needed = new Map<string, string[]>();
  const neededBy = (key: string) => {
    const known = needed.get(key) ?? [...parametersOf(texts.get(key) ?? []).keys()];
    needed.set(key, known);
    return known;
  };
  return uses.flatMap((use): Finding[] => {
    if (use.key === undefined) {
      if (use.prefix !== undefined) return [];
      const message = `"${use.name}" has no valid key in Livery.`;
      return [{ kind: "unknown-key", key: use.name, ...placeOf(use), message }];
    }
    const { key, prefix, params } = use;
    if (!texts.has(key)) {
      if (prefix && [...texts.keys()].some((one) => one.startsWith(prefix))) return [];
      const near = nearest(key, texts.keys());
      const message = `There is no text "${key}".${near ? ` Did you mean "${near}"?` : ""}`;
      return [{ kind: "unknown-key", key, ...placeOf(use), message }];
    }
    const missing = params ? neededBy(key).filter((one) => !params.includes(one)) : [];
    return missing.map((one) => ({
      kind: "missing-parameter",
      key,
      ...placeOf(use),
      message: `"${key}" needs the parameter "${one}".`,
    }));
  });
}

/** Returns the keys that no code reads. A computed name uses every key that begins like it. */
export function findUnused(uses: readonly Use[], texts: ReadonlyMap<string, unknown>): Finding[] {
  const used = new Set(uses.map((one) => one.key));
  const prefixes = [...new Set(uses.flatMap((one) => (one.prefix ? [one.prefix] : [])))];
  return [...texts.keys()]
    .filter((key) => !used.has(key) && !prefixes.some((one) => key.startsWith(one)))
    .map((key) => ({ kind: "unused-key", key, message: `No code reads "${key}".` }));
}

/** Returns the languages of the project that have no snapshot. */
export function findMissingLanguages(contents: readonly Content[]): Finding[] {
  const present = new Set(contents.map((one) => one.language));
  const wanted = new Set(contents.flatMap((one) => one.languages));
  return [...wanted]
    .filter((one) => !present.has(one))
    .map((language) => ({
      kind: "missing-language",
      language,
      message: `There is no snapshot of the language "${language}". Run "npx @livery/cli pull".`,
    }));
}

/** Returns the texts of the default language that another language lacks. A regional language may leave texts to its parent. */
export function findUntranslated({ project, texts }: Draft): Finding[] {
  const others = project.languages.filter((one) => one !== project.defaultLanguage);
  return Object.entries(texts).flatMap(([screen, keys]) =>
    Object.entries(keys).flatMap(([key, values]) =>
      others
        .filter((one) => !one.split("-").some((_, at, parts) => values[parts.slice(0, at + 1).join("-")]))
        .map((language) => ({
          kind: "missing-translation" as const,
          key: `${screen}.${key}`,
          language,
          message: `"${screen}.${key}" has no text in "${language}".`,
        })),
    ),
  );
}

/** Leaves out the findings about keys that a pattern names, as in `legacy.*`. */
export function leaveOut(findings: readonly Finding[], patterns: readonly string[]): Finding[] {
  const expressions = patterns.map((one) => patternOf(one));
  return findings.filter(({ key }) => key === undefined || !expressions.some((one) => one.test(key)));
}

/** Returns the key that differs in at most two characters; undefined if there is no such key. */
export function nearest(key: string, keys: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = 3;
  for (const one of keys) {
    if (Math.abs(one.length - key.length) >= least) continue;
    const found = distance(key, one, least);
    if (found < least) [best, least] = [one, found];
  }
  return best;
}

/** How many characters differ; at least `limit` as soon as it can't be less. */
function distance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(same, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    if (Math.min(...next) >= limit) return limit;
    row = next;
  }
  return row[b.length] as number;
}
