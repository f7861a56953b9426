/** Runs a command line: finds the command, calls it, prints its outcome, and returns the exit status. */

import manifest from "../package.json" with { type: "json" };
import { type Command, helpOf, readCall, STATUSES } from "./command.js";
import { check } from "./commands/check.js";
import { diff } from "./commands/diff.js";
import { exportFiles } from "./commands/export.js";
import { extract } from "./commands/extract.js";
import { importFiles } from "./commands/import.js";
import { init } from "./commands/init.js";
import { login, logout } from "./commands/login.js";
import { publish } from "./commands/publish.js";
import { pull } from "./commands/pull.js";
import { push } from "./commands/push.js";
import { types } from "./commands/types.js";
import { Failure } from "./failure.js";
import type { Terminal } from "./terminal.js";

const COMMANDS: readonly Command[] = [
  login,
  logout,
  init,
  pull,
  types,
  push,
  extract,
  check,
  diff,
  publish,
  importFiles,
  exportFiles,
];

function overview(): string[] {
  const rows = COMMANDS.map((one) => `  ${one.name.padEnd(10)} ${one.summary}`);
  const more =
    'See "livery-cli COMMAND --help" for the options of a command, and "livery-cli --version" for the version.';
  return ["Usage: livery-cli COMMAND [options]", "", "Commands:", ...rows, "", more, ...STATUSES];
}

async function call(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    for (const line of overview()) terminal.out(line);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(manifest.version);
    return 0;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) throw new Failure(`There is no command "${name}". See "livery-cli --help".`);
  const given = readCall(command, rest, terminal);
  if (given.has("help")) {
    for (const line of helpOf(command)) terminal.out(line);
    return 0;
  }
  const outcome = await command.run(given);
  if (given.has("json")) terminal.out(JSON.stringify(outcome.json, undefined, 2));
  else for (const line of outcome.lines) terminal.out(line);
  return outcome.status;
}

/** Returns the exit status: 0 fine, 1 findings, 2 misuse or a server that can't be reached. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await call(args, terminal);
  } catch (error) {
    const { message, stack } = error as Error;
    // What is no `Failure` comes from the system, such as a folder without rights, or is a defect: then the stack helps.
    if (args.includes("--json")) terminal.out(JSON.stringify({ error: message }, undefined, 2));
    else terminal.err(`livery-cli: ${error instanceof Failure || "code" in (error as Error) ? message : stack}`);
    return 2;
  }
}
