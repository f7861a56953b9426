/** The files that `pull` writes: a snapshot for each language, the fields of the stores, and the types. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeTypes } from "./codegen.js";
import type { Config } from "./config.js";
import type { Content, Stores } from "./content.js";
import { Failure } from "./failure.js";
import { readText, toJson, writeIfChanged } from "./files.js";
import { writeI18nextTypes } from "./i18next-types.js";
import { writeKeys } from "./languages/all.js";
import type { LanguageName } from "./languages/names.js";
import { scan } from "./scanning.js";

const STORES = "stores.json";

/** The files that were written, and the files that had the same content before. */
export interface Written {
  readonly written: string[];
  readonly unchanged: string[];
  /** Snapshots of languages that the project no longer has. */
  readonly stale?: string[];
}

function parse<Value>(path: string): Value | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new Failure(`${path} is no JSON. Run "npx @livery/cli pull" to write it again.`);
  }
}

/** The names of the snapshots: of languages, as `en.json`. */
function namesOf(folder: string, config: Config): string[] {
  try {
    const names = readdirSync(join(folder, config.output));
    return names.filter((one) => /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*\.json$/.test(one)).sort();
  } catch {
    return []; // no folder: no snapshots
  }
}

/** Reads the snapshots of an earlier `pull`, in the order of the project's languages. Throws `Failure` without a snapshot. */
export function readSnapshots(folder: string, config: Config): Content[] {
  const base = join(folder, config.output);
  const found = namesOf(folder, config)
    .map((one) => parse<Content>(join(base, one)))
    .filter((one): one is Content => typeof one?.texts === "object" && typeof one.language === "string");
  if (!found.length) throw new Failure(`There are no snapshots in ${config.output}. Run "npx @livery/cli pull" first.`);
  const { languages = [] } = found[0] as Partial<Content>;
  const placeOf = ({ language }: Content) => (languages.includes(language) ? languages.indexOf(language) : Infinity);
  return found.sort((a, b) => placeOf(a) - placeOf(b) || 0);
}

/** A line about snapshots that have texts that no release has; nothing for snapshots of a release. */
export function warnOfDraft(contents: readonly Content[]): string[] {
  const isDraft = contents.some((one) => one.version === undefined);
  return isDraft ? ['The snapshots are of the draft. Before you ship the app, publish and run "pull" again.'] : [];
}

/** What to do with a file that differs; returns whether it differed. */
export type Write = (path: string, text: string) => boolean;

/** Leaves the file alone. */
export const compare: Write = (path, text) => readText(path) !== text;

function writeAll(folder: string, files: ReadonlyMap<string, string>, write: Write): Written {
  const outcome: Written = { written: [], unchanged: [] };
  for (const [path, text] of files) (write(join(folder, path), text) ? outcome.written : outcome.unchanged).push(path);
  return outcome;
}

/** The files of types, by path. Those of i18next have the names that the code uses. */
function typeFiles(folder: string, config: Config, contents: readonly Content[], stores: Stores): [string, string][] {
  const found: [string, string][] = [[config.types, writeTypes(contents, stores)]];
  if (config.i18next)
    found.push([config.i18next, writeI18nextTypes(contents, scan(folder, config).uses, config.namespace)]);
  for (const [name, path] of Object.entries(config.code))
    found.push([path, writeKeys(name as LanguageName, path, contents, stores)]);
  return found;
}

/** Writes the types from the snapshots alone. */
export function writeTypesFile(folder: string, config: Config): Written {
  const stores = parse<Stores>(join(folder, config.output, STORES)) ?? {};
  return writeAll(folder, new Map(typeFiles(folder, config, readSnapshots(folder, config), stores)), writeIfChanged);
}

/** Writes snapshots and types, or compares them. Without `stores`, the fields of the stores stay as they are. */
export function writeSnapshots(
  folder: string,
  config: Config,
  contents: readonly Content[],
  stores: Stores | undefined,
  write: Write = writeIfChanged,
): Written {
  const files = new Map(contents.map((one) => [`${config.output}/${one.language}.json`, toJson(one)]));
  if (stores) files.set(`${config.output}/${STORES}`, toJson(stores));
  const known = stores ?? parse<Stores>(join(folder, config.output, STORES)) ?? {};
  for (const [path, text] of typeFiles(folder, config, contents, known)) files.set(path, text);
  const outcome = writeAll(folder, files, write);
  const paths = namesOf(folder, config).map((one) => `${config.output}/${one}`);
  return { ...outcome, stale: paths.filter((one) => !files.has(one)) };
}

export function linesOf({ written, unchanged, stale = [] }: Written, write: Write = writeIfChanged): string[] {
  const word = write === compare ? "Differs:" : "Wrote";
  const old = stale.map(
    (one) => `${one} has a language that this content lacks: it was removed, or is not published yet.`,
  );
  const same = unchanged.length ? [`Unchanged: ${unchanged.join(", ")}`] : [];
  return [...written.map((one) => `${word} ${one}`), ...same, ...old];
}
