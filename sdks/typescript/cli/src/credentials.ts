/** The project tokens of a person, in the config folder of the person. Only the person can read the file. */

import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "./failure.js";
import { readText, toJson, writeIfChanged } from "./files.js";
import type { Terminal } from "./terminal.js";

const PRIVATE = 0o600;
const TOKEN = /^lvt_[A-Za-z0-9_-]+$/;

type Kept = Record<string, Record<string, string>>;

function pathOf({ env }: Terminal): string {
  const base = env["XDG_CONFIG_HOME"] || (process.platform === "win32" && env["APPDATA"]);
  return join(base || join(env["HOME"] || homedir(), ".config"), "livery", "credentials.json");
}

function readKept(terminal: Terminal): Kept {
  const text = readText(pathOf(terminal));
  try {
    return text === undefined ? {} : JSON.parse(text);
  } catch {
    throw new Failure(`${pathOf(terminal)} is no JSON. Remove it and run "npx @livery/cli login".`);
  }
}

/** Returns the token, free of white space. Throws `Failure` for a text that is no project token; the message doesn't have the text. */
export function checkToken(given: string): string {
  const token = given.trim();
  if (!TOKEN.test(token))
    throw new Failure(
      'This is no project token: a token begins with "lvt_". Admins make tokens in the project settings.',
    );
  return token;
}

/** Returns the token of `LIVERY_TOKEN`, else the token of an earlier `login`; undefined without a token. */
export function findToken(terminal: Terminal, server: string, projectId: string): string | undefined {
  const given = terminal.env["LIVERY_TOKEN"];
  return given ? checkToken(given) : readKept(terminal)[server]?.[projectId];
}

/** Returns the only token that is kept for a server; undefined if there are several. */
export function findOnlyToken(terminal: Terminal, server: string): string | undefined {
  const given = terminal.env["LIVERY_TOKEN"];
  if (given) return checkToken(given);
  const tokens = Object.values(readKept(terminal)[server] ?? {});
  return tokens.length === 1 ? tokens[0] : undefined;
}

/** Keeps a token. Returns the path of the file. */
export function keepToken(terminal: Terminal, server: string, projectId: string, token: string): string {
  const kept = readKept(terminal);
  kept[server] = { ...kept[server], [projectId]: token };
  writeIfChanged(pathOf(terminal), toJson(kept), PRIVATE);
  return pathOf(terminal);
}

/** Forgets the tokens of a server, or of one project. Returns how many there were. */
export function forgetTokens(terminal: Terminal, server: string, projectId?: string): number {
  const kept = readKept(terminal);
  const ids = Object.keys(kept[server] ?? {}).filter((id) => projectId === undefined || id === projectId);
  for (const id of ids) delete kept[server]?.[id];
  if (ids.length) writeIfChanged(pathOf(terminal), toJson(kept), PRIVATE);
  return ids.length;
}
