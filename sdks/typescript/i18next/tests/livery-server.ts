/** A small Livery server with several languages: contents, and streams that carry releases. */

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Texts = Record<string, Record<string, string>>;

export const access = { projectId: "prj_test", key: "lvp_test", cache: false };

export class LiveryServer {
  readonly requests: string[] = [];
  /** Holds the answers of the content call back until it settles. */
  gate: Promise<void> = Promise.resolve();
  baseUrl = "";
  readonly #texts: Record<string, Texts>;
  readonly #server: Server;
  readonly #streams = new Map<ServerResponse, string>();
  #release = 1;

  /** The first language is the project's default language. */
  constructor(texts: Record<string, Texts>) {
    this.#texts = structuredClone(texts);
    this.#server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const language = this.#served(searchParams.get("lang") ?? "");
      this.requests.push(`${pathname.split("/").at(-1)} ${searchParams.get("lang") ?? ""}`.trim());
      if (pathname.endsWith("/stream")) {
        response.writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" });
        response.write(`event: hello\ndata: ${JSON.stringify({ version: this.#version, release: this.#release })}\n\n`);
        this.#streams.set(response, language);
        response.on("close", () => this.#streams.delete(response));
      } else if (request.method === "OPTIONS") {
        response.writeHead(204, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end();
      } else {
        await this.gate;
        const head = { "content-type": "application/json", "access-control-allow-origin": "*" };
        response.writeHead(200, { ...head, etag: `"${this.#version}-${language}"` }).end(this.#body(language));
      }
    });
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes the new texts of each language; `null` removes a text. */
  publish(changes: Record<string, Record<string, Record<string, string | null>>>): void {
    const from = this.#version;
    this.#release++;
    for (const [language, patch] of Object.entries(changes)) {
      for (const [screen, keys] of Object.entries(patch)) {
        const texts = Object.entries({ ...this.#texts[language]?.[screen], ...keys });
        const kept = texts.filter((entry): entry is [string, string] => entry[1] !== null);
        this.#texts[language] = { ...this.#texts[language], [screen]: Object.fromEntries(kept) };
      }
    }
    for (const [stream, language] of this.#streams) {
      const patch = { texts: changes[language] ?? {} };
      const data = { from, version: this.#version, release: this.#release, patch };
      stream.write(`id: ${this.#version}\nevent: release\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  get #version(): string {
    return `e1.${this.#release}`;
  }

  #served(asked: string): string {
    const codes = [asked, asked.split("-")[0] ?? "", ...Object.keys(this.#texts)];
    return codes.find((code) => code in this.#texts) ?? "";
  }

  #body(language: string): string {
    const { projectId } = access;
    const languages = Object.keys(this.#texts);
    const content = { texts: this.#texts[language], colors: {}, images: {}, stores: {} };
    return JSON.stringify({
      projectId,
      version: this.#version,
      release: this.#release,
      language,
      languages,
      ...content,
    });
  }
}
