/** Reads all source files of the app. */

import { join } from "node:path";
import type { Config } from "./config.js";
import { Failure } from "./failure.js";
import { findFiles, readText } from "./files.js";
import { type Conventions, readSource } from "./reading.js";
import type { Use } from "./uses.js";

export interface Scan {
  readonly files: number;
  readonly uses: readonly Use[];
}

/** Whether the app uses i18next, by its package.json: then a `t` of unknown origin is i18next's. */
export function usesI18next(folder: string): boolean {
  const text = readText(join(folder, "package.json")) ?? "";
  return /"(?:react-|next-)?i18next"|"(?:vue-i18n|svelte-i18n|i18next-vue)"/.test(text);
}

/** Returns the uses of texts in all source files. Throws `Failure` if no file matches. */
export function scan(folder: string, config: Config): Scan {
  // An app may also have code in Python, which the command line of livery-client reads.
  const paths = findFiles(folder, config.sources).filter((one) => !/\.(?:d\.[mc]?ts|py|jinja2?|j2)$/.test(one));
  if (!paths.length)
    throw new Failure(`No file matches ${config.sources.join(", ")}. Correct "sources" in livery.json.`);
  const conventions: Conventions = {
    usual: usesI18next(folder) ? "i18next" : "livery",
    namespace: config.namespace,
  };
  const uses = paths.flatMap((path) => readSource(path, readText(join(folder, path)) ?? "", conventions));
  return { files: paths.length, uses };
}
