/** A small server that speaks the delivery protocol over real sockets. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const PROJECT = "prj_test";

type Texts = Record<string, Record<string, string | null>>;

function refuse(response: ServerResponse): void {
  const body = { message: "This key is unknown or has ended.", code: "unknown_key" };
  response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export class TestServer {
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  readonly #waiting = new Set<() => void>();
  #texts: Record<string, Record<string, string>> = { home: { title: "Hello" } };
  #release = 1;
  baseUrl = "";

  constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push(request);
      const url = new URL(request.url ?? "/", "http://localhost");
      if (request.headers.authorization !== "Bearer lvp_test") refuse(response);
      else if (url.pathname.endsWith("/content")) this.#content(request, response);
      else this.#stream(url, request, response);
      this.#wake();
    });
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Ends every connection; with `spreadMs` the streams get a `bye` first. */
  async stop(spreadMs?: number): Promise<void> {
    this.endStreams(spreadMs);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  endStreams(spreadMs?: number): void {
    for (const stream of this.#streams) {
      if (spreadMs !== undefined) stream.write(`event: bye\ndata: {"spreadMs": ${spreadMs}}\n\n`);
      stream.end();
    }
    this.#streams.clear();
  }

  get version(): string {
    return `e1.${this.#release}`;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Publishes a change of texts; `write` decides how the event's bytes leave. */
  publish(patch: Texts, write = (stream: ServerResponse, event: Buffer) => void stream.write(event)): void {
    const from = this.version;
    this.#release++;
    for (const [screen, texts] of Object.entries(patch)) {
      const changed = { ...this.#texts[screen] };
      for (const [key, text] of Object.entries(texts)) {
        if (text === null) delete changed[key];
        else changed[key] = text;
      }
      this.#texts[screen] = changed;
    }
    const data = { from, version: this.version, release: this.#release, etag: this.#etag, patch: { texts: patch } };
    const event = Buffer.from(`id: ${this.version}\nevent: release\ndata: ${JSON.stringify(data)}\n\n`);
    for (const stream of this.#streams) write(stream, event);
  }

  /** Resolves as soon as `isTrue` after some request, connection or end of a connection. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  get #etag(): string {
    return `"${this.version}-en"`;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #content(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers["if-none-match"] === this.#etag) {
      response.writeHead(304).end();
      return;
    }
    const head = {
      projectId: PROJECT,
      version: this.version,
      release: this.#release,
      language: "en",
      languages: ["en"],
    };
    const body = { ...head, texts: this.#texts, colors: { primary: "#6750a4" }, images: {}, stores: {} };
    response.writeHead(200, { "content-type": "application/json", etag: this.#etag }).end(JSON.stringify(body));
  }

  #stream(url: URL, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: hello\ndata: {"version": "${this.version}", "release": ${this.#release}}\n\n`);
    const known = request.headers["last-event-id"] ?? url.searchParams.get("since");
    if (known !== this.version) {
      const data = { from: known, version: this.version, release: this.#release, patch: { texts: this.#texts } };
      response.write(`event: release\ndata: ${JSON.stringify(data)}\n\n`);
    }
    this.#streams.add(response);
    response.on("close", () => {
      this.#streams.delete(response);
      this.#wake();
    });
  }
}
