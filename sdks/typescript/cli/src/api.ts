/** Calls of a Livery server. A token or key goes into a header only, never into an address. */

import { Failure } from "./failure.js";

const TIMEOUT_MS = 60_000;

export type Query = Readonly<Record<string, string | undefined>>;

interface Refusal {
  readonly message?: unknown;
  readonly code?: unknown;
}

/** An answer of the server that is no success. */
export class Refused extends Failure {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ' Make a project token in the project settings, then run "npx @livery/cli login" or set LIVERY_TOKEN.',
  403: " The token may lack a scope: reading needs `read`, changes need `write`, publishing needs `publish`.",
};

const ADVICE_OF_KEYS =
  ' The publishable key may have ended: "npx @livery/cli init --force" writes the present key into livery.json.';

export class Api {
  /** `bearer` is a project token, or a publishable key. */
  constructor(
    readonly server: string,
    private readonly bearer: string | undefined,
  ) {}

  get<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return this.#call("GET", path, query);
  }

  post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
    return this.#call("POST", path, {}, JSON.stringify(body), "application/json");
  }

  send<Answer>(path: string, query: Query, bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
    return this.#call("POST", path, query, bytes, "application/octet-stream");
  }

  remove(path: string): Promise<unknown> {
    return this.#call("DELETE", path, {});
  }

  /** Returns the file of an answer, with the name that the server gives it. */
  async download(path: string): Promise<{ name: string; bytes: Uint8Array }> {
    const { response, bytes } = await this.#send("GET", path, {});
    const name = /filename="([^"/\\]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    if (name === undefined) throw new Failure(`${this.server} answers no file. Check that it is a Livery server.`);
    return { name, bytes };
  }

  async #call<Answer>(method: string, path: string, query: Query, body?: BodyInit, type?: string): Promise<Answer> {
    const { bytes } = await this.#send(method, path, query, body, type);
    return parse(new TextDecoder().decode(bytes), this.server) as Answer;
  }

  /** Returns an answer that is a success, and its bytes. Throws `Refused` and `Failure`. */
  async #send(method: string, path: string, query: Query, body?: BodyInit, type?: string) {
    const url = new URL(this.server + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const headers = {
      accept: "application/json",
      ...(this.bearer && { authorization: `Bearer ${this.bearer}` }),
      ...(type && { "content-type": type }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(url, { method, headers, body: body ?? null, redirect: "manual", signal });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : message;
      throw new Failure(`${this.server} can't be reached (${reason}). Check "server" in livery.json and your network.`);
    }
    if (response.ok) return { response, bytes };
    const place = response.headers.get("location");
    if (place) throw new Failure(`${this.server} redirects to ${place}. Write this server's address into livery.json.`);
    const isKey = this.bearer?.startsWith("lvp_") ?? false;
    throw refusal(this.server, response.status, new TextDecoder().decode(bytes), isKey ? ADVICE_OF_KEYS : undefined);
  }
}

function parse(text: string, server: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${server} answers no JSON. Check that it is the address of a Livery server.`);
  }
}

/** The refusal of a Livery server. A proxy, or a server of something else, gives a failure that names it. */
function refusal(server: string, status: number, text: string, adviceOfKeys: string | undefined): Failure {
  let given: Refusal | undefined;
  try {
    given = JSON.parse(text) as Refusal;
  } catch {
    // no JSON: not an answer of Livery
  }
  if (typeof given?.message !== "string" || typeof given.code !== "string")
    return new Failure(
      `${server} answers with the status ${status}, and not as Livery does. Check the address, and the proxy in front of Livery.`,
    );
  const advice = (status === 401 && adviceOfKeys) || (ADVICE[status] ?? "");
  return new Refused(`${given.message} (${status} ${given.code})${advice}`, status, given.code);
}
