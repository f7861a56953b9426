/**
 * A Livery server with the demo project: a process of its own, on a free port. Each worker has one server, which serves all its files with the
 * same settings. So a test that counts the demo's changes settles the demo first (desk.ts), and what the test makes has names of its own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { access, constants, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base } from "@playwright/test";

const ROOT = resolve(import.meta.dirname, "../../..");
const START_MS = 180_000;

export class LiveryServer {
  readonly url: string;
  #process: ChildProcess | undefined;
  #output = "";

  constructor(
    readonly port: number,
    readonly dataDir: string,
    readonly settings: Readonly<Record<string, string>> = {},
  ) {
    this.url = `http://localhost:${port}`;
  }

  /** All that its terminal showed, of every start. */
  get output(): string {
    return this.#output;
  }

  /** Starts the server. Returns what the terminal shows once the server answers. */
  async start(): Promise<string> {
    const child = spawn(join(ROOT, ".venv/bin/livery"), ["serve", "--demo"], {
      cwd: ROOT,
      env: { ...process.env, ...this.settings, LIVERY_PORT: String(this.port), LIVERY_DATA_DIR: this.dataDir },
    });
    this.#process = child;
    const before = this.#output.length;
    const said = () => this.#output.slice(before);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    const until = Date.now() + START_MS;
    while (!said().includes("Livery is running")) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start:\n${said()}`);
      await new Promise((done) => setTimeout(done, 50));
    }
    return said();
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

  /** Every mail that was sent so far, oldest first. */
  async mails(): Promise<Mail[]> {
    const outbox = join(this.dataDir, "outbox");
    const names = await readdir(outbox).catch(() => []);
    const sent = names.filter((name) => name.endsWith(".eml")).sort();
    return Promise.all(
      sent.map(async (name) => ({
        kind: /-([a-z_]+)\.eml$/.exec(name)?.[1] ?? "",
        raw: await readFile(join(outbox, name), "utf8"),
      })),
    );
  }

  /** The newest mail to `address`, as text, once there are `count` (of one kind, when `kind` is given). */
  async mailTo(address: string, { kind, count = 1 }: { kind?: string; count?: number } = {}): Promise<string> {
    const until = Date.now() + 60_000;
    while (Date.now() < until) {
      const known = (await this.mails()).filter(
        (mail) => mail.raw.includes(`To: ${address}`) && (kind === undefined || mail.kind === kind),
      );
      if (known.length >= count) return known.at(-1)?.raw ?? "";
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`no mail to ${address}`);
  }

  /** The address that a mail to `address` leads to, as its reader would follow it: of the text part, soft line ends undone. */
  async linkTo(address: string, kind: "verify" | "reset", { count = 1 }: { count?: number } = {}): Promise<string> {
    const mail = (await this.mailTo(address, { kind, count })).replaceAll(/=\r?\n/g, "");
    const page = kind === "verify" ? "verify-email" : "reset-password";
    const [link] = new RegExp(`${this.url}/${page}/[\\w-]+`).exec(mail) ?? [];
    if (link === undefined) throw new Error(`the mail to ${address} leads nowhere`);
    return link;
  }
}

export interface Mail {
  readonly kind: string;
  /** Headers and body as they were sent. */
  readonly raw: string;
}

/** In memory where the system has such a folder: no test here is about what a power cut leaves. */
async function emptyFolder(name: string): Promise<string> {
  const memory = "/dev/shm";
  const parent = await access(memory, constants.W_OK).then(
    () => memory,
    () => tmpdir(),
  );
  return mkdtemp(join(parent, `livery-e2e-${name}-`));
}

/** A port of this computer that nobody uses. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

/** Settings of a server that several files share: only for the same object do they get the same server. */
export const WITHOUT_PLANS = { LIVERY_BILLING: "off" };

/** The login of the demo's owner, as the greeting shows it. */
export function ownerIn(greeting: string): { email: string; password: string } {
  const [, email = "", password = ""] = /Log in as\s+(\S+)\s+with the password\s+(\S+)/.exec(greeting) ?? [];
  return { email, password };
}

interface WorkerOptions {
  settings: Record<string, string>;
  freshServer: string;
  server: LiveryServer;
  greeting: string;
}

export const test = base.extend<object, WorkerOptions>({
  // Settings of the server beside its port and folder, by the names of their variables: `test.use({ settings: {…} })`.
  settings: [{}, { option: true, scope: "worker" }],
  // A file that needs an empty server, or spoils it for others, names itself here: `test.use({ freshServer: "quota" })`.
  freshServer: ["", { option: true, scope: "worker" }],
  server: [
    async ({ settings, freshServer }, use) => {
      const server = new LiveryServer(await freePort(), await emptyFolder(freshServer), settings);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  greeting: [async ({ server }, use) => use(await server.start()), { scope: "worker" }],
});

export { expect } from "@playwright/test";
