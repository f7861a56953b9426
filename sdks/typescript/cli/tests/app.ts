/** An app in a folder of its own, and the command line run in it. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../src/run.js";

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** The output of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly json: any;
}

export class App {
  readonly folder = mkdtempSync(join(tmpdir(), "livery-cli-app-"));
  readonly env: Record<string, string | undefined> = { XDG_CONFIG_HOME: join(this.folder, ".config") };
  input = "";
  answers: string[] = [];
  isInteractive = false;

  constructor(files: Readonly<Record<string, unknown>> = {}) {
    this.write(files);
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  write(files: Readonly<Record<string, unknown>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), typeof content === "string" ? content : JSON.stringify(content));
    }
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  async run(...args: string[]): Promise<Ran> {
    const out: string[] = [];
    const err: string[] = [];
    const status = await run(args, {
      env: this.env,
      folder: this.folder,
      isInteractive: this.isInteractive,
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      input: async () => this.input,
      ask: async () => this.answers.shift() ?? "",
    });
    const text = out.join("\n");
    return { status, out: text, err: err.join("\n"), json: args.includes("--json") ? JSON.parse(text) : undefined };
  }
}
