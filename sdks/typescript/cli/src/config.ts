/** `livery.json`: which project the app shows, and where its files are. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.js";
import { LANGUAGE_NAMES, type LanguageName } from "./languages/names.js";

export const FILE = "livery.json";
export const SOURCES = ["src/**/*.{ts,tsx,js,jsx,mts,cts,mjs,cjs,vue,svelte}"];
export const OUTPUT = "livery";

export interface Config {
  readonly server: string;
  readonly projectId: string;
  /** The publishable key. With it, `pull` needs no token. */
  readonly key?: string | undefined;
  readonly sources: readonly string[];
  /** The pattern of the locale files, with `{language}` and `{namespace}`. */
  readonly locales?: string | undefined;
  /** The format of the locale files, as `GET /api/formats` names it. Absent: the server finds it. */
  readonly format?: string | undefined;
  /** The namespace whose name is not part of the keys: i18next's `defaultNS`. */
  readonly namespace: string;
  /** The folder of the snapshots. */
  readonly output: string;
  /** The file of the types. */
  readonly types: string;
  /** The file of the types for i18next's `t`. Absent: it is not written. */
  readonly i18next?: string | undefined;
  /** Files with the keys in other languages, as `{ python: "app/keys.py" }`. */
  readonly code: Readonly<Partial<Record<LanguageName, string>>>;
  /** Keys that `check` leaves alone, as patterns. */
  readonly ignore: readonly string[];
}

const TEXTS = ["server", "projectId", "key", "locales", "format", "namespace", "output", "types", "i18next"] as const;
const LISTS = ["sources", "ignore"] as const;

/** Returns the address of a server without the slash at its end. Throws `Failure` for an address that is not http(s). */
export function serverOf(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new Failure(`"${address}" is no address. Write it as in "https://livery.example.com".`);
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Failure(`"${address}" is no address of a server. Write it as in "https://livery.example.com".`);
  return url.href.replace(/\/+$/, "");
}

/** Reads `livery.json` of the folder. Throws `Failure` if it is absent or invalid. */
export function readConfig(folder: string): Config {
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), "utf8");
  } catch {
    throw new Failure(
      `There is no ${FILE} in this folder. Run "npx @livery/cli init", or change to the folder of the app.`,
    );
  }
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Failure(`${FILE} is no JSON: ${(error as Error).message}.`);
  }
  return checked(given);
}

function checked(given: Record<string, unknown>): Config {
  const known: readonly string[] = [...TEXTS, ...LISTS, "code", "$schema"];
  for (const name of Object.keys(given ?? {}))
    if (!known.includes(name)) throw new Failure(`${FILE} has an unknown field "${name}". Known: ${known.join(", ")}.`);
  for (const name of TEXTS)
    if (given[name] !== undefined && typeof given[name] !== "string")
      throw new Failure(`"${name}" in ${FILE} must be a text.`);
  for (const name of LISTS) {
    const value = given[name] ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== "string"))
      throw new Failure(`"${name}" in ${FILE} must be a list of texts.`);
  }
  checkCode(given.code ?? {});
  const { server, projectId } = given as { server?: string; projectId?: string };
  if (!server || !projectId) throw new Failure(`${FILE} needs "server" and "projectId". Run "npx @livery/cli init".`);
  const output = (given.output as string | undefined) ?? OUTPUT;
  return {
    sources: SOURCES,
    namespace: "translation",
    types: `${output}/keys.d.ts`,
    ignore: [],
    code: {},
    ...(given as object),
    output,
    projectId,
    server: serverOf(server),
  };
}

function checkCode(code: unknown): void {
  const names: readonly string[] = LANGUAGE_NAMES;
  const isObject = typeof code === "object" && code !== null && !Array.isArray(code);
  if (!isObject || Object.values(code).some((path) => typeof path !== "string" || !path))
    throw new Failure(`"code" in ${FILE} must be an object with the path of a file for each language.`);
  for (const name of Object.keys(code))
    if (!names.includes(name)) throw new Failure(`"code" in ${FILE} knows ${names.join(", ")}, but not "${name}".`);
}
