/** The surroundings of a command: output, environment, folder and input. Tests give their own. */

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  out(line: string): void;
  err(line: string): void;
  /** Returns all of the standard input. */
  input(): Promise<string>;
  /** Returns the answer of a person. A `hidden` answer doesn't show. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
}

async function ask(question: string, options: { hidden?: boolean } = {}): Promise<string> {
  let isMuted = false;
  const output = new Writable({
    write(chunk, encoding, done) {
      if (!isMuted) process.stderr.write(chunk, encoding);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    const answer = lines.question(`${question} `);
    isMuted = options.hidden ?? false;
    return (await answer).trim();
  } finally {
    if (isMuted) process.stderr.write("\n");
    lines.close();
  }
}

export function createTerminal(): Terminal {
  return {
    env: process.env,
    folder: process.cwd(),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    input: () => text(process.stdin),
    ask,
  };
}
