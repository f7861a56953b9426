/** The locale files of the app: given by name, or found by the pattern of `livery.json`. */

import { existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Config } from "./config.js";
import { Failure } from "./failure.js";
import { findFiles, patternOf } from "./files.js";

const PLACES = { language: "[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", namespace: "[^/]+" };

export interface LocaleFile {
  /** The path as the server is given it: it shows the language and the namespace where these are undefined. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly language?: string | undefined;
  /** Empty: the default namespace. */
  readonly namespace?: string | undefined;
}

/** Where an i18next app usually has its files. The first pattern with a file is taken. */
const USUAL = ["public/locales", "locales", "src/locales", "public/i18n", "src/i18n/locales", "src/i18n"].flatMap(
  (one) => [`${one}/{language}/{namespace}.json`, `${one}/{language}.json`],
);

/** Returns the pattern of the locale files in a folder; undefined if there are no such files. */
export function detectPattern(folder: string): string | undefined {
  const paths = findFiles(folder, ["public/**/*.json", "locales/**/*.json", "src/**/*.json"]);
  return USUAL.find((one) => paths.some((path) => patternOf(one, PLACES).test(path)));
}

function read(folder: string, path: string, config: Config): LocaleFile {
  const name = relative(folder, resolve(folder, path)).replaceAll("\\", "/");
  const groups = config.locales ? patternOf(config.locales, PLACES).exec(name)?.groups : undefined;
  const namespace = groups?.["namespace"];
  return {
    name,
    bytes: readFileSync(resolve(folder, path)),
    language: groups?.["language"]?.replaceAll("_", "-"),
    namespace: namespace === config.namespace ? "" : namespace,
  };
}

/** Returns the files of these paths, or of the pattern without paths. Throws `Failure` if there is no file. */
export function findLocales(folder: string, config: Config, paths: readonly string[]): LocaleFile[] {
  const absent = paths.find((one) => !existsSync(resolve(folder, one)));
  if (absent !== undefined) throw new Failure(`There is no file ${absent}.`);
  if (!paths.length && !config.locales)
    throw new Failure('Name the files, or give "locales" in livery.json, as in "locales/{language}/{namespace}.json".');
  const found = paths.length ? paths : findFiles(folder, [config.locales ?? ""], PLACES);
  if (!found.length) throw new Failure(`No file matches ${config.locales}. Correct "locales" in livery.json.`);
  return found.map((one) => read(folder, one, config));
}
