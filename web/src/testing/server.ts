/** The API as tests see it: `server.use(answer("get", "/api/projects", []))`. A call without an answer fails the test. */
import { delay, HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";

/** The calls of every page beside its own; a test that checks such a call answers it itself. */
export const server = setupServer(
  http.post("*/api/analytics/page-view", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/auth/sso", () => HttpResponse.json({ name: null })),
  http.get("*/api/user/identities", () => HttpResponse.json({ name: null, hasPassword: true, identities: [] })),
  http.get("*/api/user/invitations", () => HttpResponse.json({ invitations: [] })),
  http.get("*/api/user/second-factors", () =>
    HttpResponse.json({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 }),
  ),
  http.get("*/api/payments/invoices", () => HttpResponse.json({ invoices: [], nextCursor: null })),
  http.get("*/api/projects/:projectId/jobs", () => HttpResponse.json({ jobs: [] })),
  http.get("*/api/payments/credits", () => HttpResponse.json({ entries: [], months: [], nextCursor: null })),
  http.get("*/api/formats", () => HttpResponse.json({ formats: [] })),
  http.get("*/api/sdk-packages", () => HttpResponse.json({ files: {} })),
  http.get("*/api/stores/:projectId", () => HttpResponse.json([])),
  // Nothing happens in a project unless a test sends an event.
  http.get("*/api/projects/:projectId/events", () => eventStream().response),
);

/** A stream of server-sent events that the test writes. */
export function eventStream() {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened;
    },
  });
  const say = (name: string, data: unknown, id = "") =>
    controller?.enqueue(
      encoder.encode(`${id === "" ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    );
  say("hello", { id: "1" }, "1");
  return {
    response: new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } }),
    say,
    end: () => controller?.close(),
  };
}

type Method = "get" | "post" | "put" | "delete";

/** One call of the API. `onCall` gets the request's JSON body (undefined without a body). `path` may hold `:names`. */
export function answer(
  method: Method,
  path: string,
  body: JsonBodyType,
  options: {
    status?: number;
    afterMs?: number | "infinite";
    /** The answer waits for this. */
    until?: Promise<void>;
    onCall?: (body: unknown, request: Request) => void;
  } = {},
) {
  return http[method](`*${path}`, async ({ request }) => {
    options.onCall?.(
      await request
        .clone()
        .json()
        .catch(() => undefined),
      request,
    );
    await options.until;
    if (options.afterMs !== undefined) await delay(options.afterMs);
    const status = options.status ?? 200;
    return status === 204 ? new HttpResponse(null, { status }) : HttpResponse.json(body, { status });
  });
}

/** A refusal in the server's error shape. */
export function refusal(
  method: Method,
  path: string,
  status: number,
  body: { message: string; code?: string; fields?: Record<string, string>; [name: string]: JsonBodyType | undefined },
) {
  return answer(method, path, { code: "refused", ...body }, { status });
}

/** The network is away for this call. */
export function offline(method: Method, path: string) {
  return http[method](`*${path}`, () => HttpResponse.error());
}
