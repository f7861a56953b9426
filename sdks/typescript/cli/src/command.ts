/** What a command is, how its arguments are read, and its help. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { Failure } from "./failure.js";
import type { Terminal } from "./terminal.js";

export interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

/** What a command was called with. */
export interface Call {
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  has(name: string): boolean;
}

/** What a command found or did: `lines` for people, `json` for programs. Status 1 means findings. */
export interface Outcome {
  readonly status: 0 | 1;
  readonly lines: readonly string[];
  readonly json: unknown;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The positional arguments in the help; absent: the command takes no such arguments. */
  readonly takes?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Lines below the options of the help. */
  readonly notes?: readonly string[];
  run(call: Call): Promise<Outcome>;
}

const COMMON: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "Write the outcome as JSON." },
  help: { type: "boolean", help: "Show this help." },
};

export const STATUSES = ["Exit status: 0 fine, 1 findings, 2 misuse, or a server that can't be reached or refuses."];

export function done(lines: readonly string[], json: unknown, status: 0 | 1 = 0): Outcome {
  return { status, lines, json };
}

/** Returns the call that the arguments mean. Throws `Failure` for arguments that the command doesn't take. */
export function readCall(command: Command, args: readonly string[], terminal: Terminal): Call {
  const options: ParseArgsConfig["options"] = {};
  for (const [name, { type, multiple = false }] of Object.entries({ ...command.options, ...COMMON }))
    options[name] = { type, multiple };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: command.takes !== undefined, strict: true });
  } catch (error) {
    const fault = (error as Error).message.split("\n")[0];
    throw new Failure(`${fault} See "livery-cli ${command.name} --help".`);
  }
  const { values, positionals } = parsed;
  const text = (name: string) => (typeof values[name] === "string" ? (values[name] as string) : undefined);
  const texts = (name: string) => (Array.isArray(values[name]) ? (values[name] as string[]) : []);
  return { terminal, positionals, text, texts, has: (name) => values[name] === true };
}

export function helpOf(command: Command): string[] {
  const rows = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => {
    const left = `--${name}${option.type === "string" ? ` ${option.value ?? "TEXT"}` : ""}`;
    return `  ${left.padEnd(24)} ${option.help}`;
  });
  const usage = `Usage: livery-cli ${command.name}${command.takes ? ` ${command.takes}` : ""} [options]`;
  return [usage, "", command.summary, "", "Options:", ...rows, "", ...(command.notes ?? []), ...STATUSES];
}
