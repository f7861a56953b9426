/** A Livery server of this repository, as a process of its own on a free port, with projects made through its API. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../../..");
const START_MS = 180_000;
const DEMO = { email: "demo@example.com", password: "livery-demo" };

export interface TestProject {
  readonly id: string;
  readonly token: string;
  /** A call of the dashboard's API by the owner; `{id}` in the path is the project. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const listener = createServer();
    listener.listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as { port: number };
      listener.close(() => found(port));
    });
  });
}

export class LiveServer {
  #projects = 0;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly data: string,
    private readonly session: string,
  ) {}

  static async start(): Promise<LiveServer> {
    const port = await freePort();
    const data = mkdtempSync(join(tmpdir(), "livery-cli-data-"));
    const settings = {
      LIVERY_HOST: "127.0.0.1",
      LIVERY_PORT: String(port),
      LIVERY_DATA_DIR: data,
      LIVERY_BILLING: "off",
    };
    const env = { ...process.env, PYTHONPATH: ROOT, ...settings };
    const child = spawn(join(ROOT, ".venv/bin/livery"), ["serve", "--demo"], { cwd: ROOT, env });
    let output = "";
    const told = new Promise<void>((ready, fail) => {
      const timer = setTimeout(() => fail(new Error(`the server did not start:\n${output}`)), START_MS);
      child.once("exit", () => fail(new Error(`the server ended:\n${output}`)));
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (chunk: Buffer) => {
          output += chunk;
          if (!output.includes("Livery is running")) return;
          clearTimeout(timer);
          ready();
        });
    });
    await told;
    const url = `http://127.0.0.1:${port}`;
    const { token } = await request<{ token: string }>(url, "POST", "/api/auth/login", "", DEMO);
    return new LiveServer(url, child, data, token);
  }

  /** Makes a project in English and German with a token of these scopes. */
  async createProject(scopes: readonly string[] = ["read", "write", "publish"]): Promise<TestProject> {
    const name = `App ${++this.#projects}`;
    const { _id: id } = await request<{ _id: string }>(this.url, "POST", "/api/projects", this.session, { name });
    const call = <Answer>(method: string, path: string, body?: unknown) =>
      request<Answer>(this.url, method, path.replace("{id}", id), this.session, body);
    await call("POST", "/api/projects/{id}/languages", { language: "de" });
    const { token } = await call<{ token: string }>("POST", "/api/projects/{id}/tokens", { name, scopes, days: 1 });
    return { id, token, call };
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGTERM");
    await ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}

async function request<Answer>(
  url: string,
  method: string,
  path: string,
  bearer: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) };
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Answer;
}
