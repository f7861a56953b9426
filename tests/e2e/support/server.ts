/** A Livery server for one test file: a process of its own, on a free port, in an empty data folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base } from "@playwright/test";

const ROOT = resolve(import.meta.dirname, "../../..");
const START_MS = 60_000;

export class LiveryServer {
  readonly url: string;
  #process: ChildProcess | undefined;

  constructor(
    readonly port: number,
    readonly dataDir: string,
  ) {
    this.url = `http://localhost:${port}`;
  }

  /** Starts the server and gives what the terminal said once it answers. */
  async start(): Promise<string> {
    const child = spawn(join(ROOT, ".venv/bin/livery"), ["serve", "--demo"], {
      cwd: ROOT,
      env: { ...process.env, LIVERY_PORT: String(this.port), LIVERY_DATA_DIR: this.dataDir },
    });
    this.#process = child;
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const until = Date.now() + START_MS;
    while (!said.includes("Livery is running")) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start:\n${said}`);
      await new Promise((done) => setTimeout(done, 50));
    }
    return said;
  }

  /** Ends the server at once, as a crash would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await ended;
  }

  /** The newest mail to `address`, as text; waits until there is one. */
  async mailTo(address: string): Promise<string> {
    const outbox = join(this.dataDir, "outbox");
    const until = Date.now() + 20_000;
    while (Date.now() < until) {
      const names = await readdir(outbox).catch(() => []);
      const newestFirst = names
        .filter((each) => each.endsWith(".eml"))
        .sort()
        .reverse();
      for (const name of newestFirst) {
        const mail = await readFile(join(outbox, name), "utf8");
        if (mail.includes(`To: ${address}`)) return mail;
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`no mail to ${address}`);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

export const test = base.extend<object, { server: LiveryServer; greeting: string }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = new LiveryServer(await freePort(), await mkdtemp(join(tmpdir(), "livery-e2e-")));
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  greeting: [async ({ server }, use) => use(await server.start()), { scope: "worker" }],
});

export { expect } from "@playwright/test";
