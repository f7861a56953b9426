/** Keeps one language of one project up to date: conditional requests, the stream, and polling where no stream can be had. */

import { Backoff, classify, MAX_WAIT_MS, parseRetryAfter } from "./backoff.js";
import { Cdn } from "./cdn.js";
import { isObject } from "./content.js";
import type { Cancel } from "./platform.js";
import { type ContentAnswer, type Endpoint, getContent, holdStream, type StreamEnd } from "./requests.js";
import type { ServerEvent } from "./sse.js";
import { order, parseVersion } from "./version.js";

/** What became of an offer. `mismatch`: its base is not ours, fetch. `broken`: it was no offer at all. */
export type Outcome = "applied" | "ignored" | "mismatch" | "broken";

export interface Patch {
  readonly from: string;
  readonly version: string;
  readonly patch: Record<string, unknown>;
  readonly etag: string | undefined;
}

/** The owner of the content. */
export interface Holder {
  position(): { version: string | undefined; etag: string | undefined };
  takeBody(body: unknown, etag: string | undefined): Outcome;
  takePatch(patch: Patch): Outcome;
  /** The server has confirmed that what we hold is its latest. */
  confirmed(): void;
  /** The first request has ended, well or not. */
  attempted(): void;
  /** `status` has changed. */
  statusChanged(): void;
  hold(): number;
  setHold(milliseconds: number): void;
  /** The server lets us have nothing; it is not asked for a while. */
  refused(): void;
  warn(id: string, message: string): void;
}

export type Status = "down" | "live" | "polling";

const HEALTHY_MS = 60_000;
const POLL_AFTER_MS = 120_000;
const POLL_MS = 60_000;
const STREAM_AGAIN_MS = 300_000;
/** How long a server that reports that it is ahead may take to send what was missed. */
const CATCH_UP_MS = 2_000;
/** A shorter `Retry-After` is over before a reload is. */
const HOLD_WORTH_KEEPING_MS = 10_000;

export class Connection {
  readonly #fetchBackoff: Backoff;
  readonly #streamBackoff: Backoff;
  readonly #cdn: Cdn;
  #running = false;
  #status: Status = "down";
  #fetching: AbortController | undefined;
  #fetchTimer: Cancel | undefined;
  #fetchAt = Number.POSITIVE_INFINITY;
  #fetchAgain = false;
  #fetchNotBefore: number;
  #fetchWhole = false;
  #wasAnswered = false;
  #stream: AbortController | undefined;
  #streamTimer: Cancel | undefined;
  #streamNotBefore = 0;
  #canStream = true;
  #resume = false;
  #upSince: number | undefined;
  #pollTimer: Cancel | undefined;
  #isPolling = false;
  #pollFailed = false;
  /** The newest version heard of; ahead of our own while something is on its way. */
  #target: string | undefined;
  #bye: number | undefined;

  constructor(
    readonly endpoint: Endpoint,
    readonly holder: Holder,
    readonly kind: "stream" | "once",
  ) {
    const { platform } = endpoint;
    this.#fetchBackoff = new Backoff(() => platform.random());
    this.#streamBackoff = new Backoff(() => platform.random());
    this.#cdn = new Cdn(endpoint, (message) => holder.warn("cdn", message));
    this.#fetchNotBefore = platform.now() + holder.hold();
  }

  get status(): Status {
    return this.#status;
  }

  /** Asks once, after `delay` ms, then stays connected. */
  start(delay = 0): void {
    if (this.#running) return;
    this.#running = true;
    this.#awaitStream();
    this.#want(delay);
  }

  stop(): void {
    this.#running = false;
    this.#unwant();
    this.#fetchAgain = false;
    this.#streamTimer?.();
    this.#streamTimer = undefined;
    this.#cancelPolling();
    this.#upSince = undefined;
    const open = [this.#fetching, this.#stream];
    this.#fetching = undefined;
    this.#stream = undefined;
    for (const request of open) request?.abort();
    this.#setStatus("down");
  }

  /** One conditional request within `spread` ms, whatever else goes on. */
  check(spread: number): void {
    if (this.#running) this.#want(this.endpoint.platform.random() * spread);
  }

  // --- content -------------------------------------------------------------------------------------------------------

  /** A request at the latest in `delay` ms, unless the server asked us to stay away longer. */
  #want(delay: number): void {
    if (!this.#running) return;
    if (this.#fetching) {
      this.#fetchAgain = true;
      return;
    }
    const { platform } = this.endpoint;
    const at = Math.max(platform.now() + delay, this.#fetchNotBefore);
    if (this.#fetchTimer && at >= this.#fetchAt) return;
    this.#fetchTimer?.();
    this.#fetchAt = at;
    this.#fetchTimer = platform.after(at - platform.now(), () => this.#fetch());
  }

  #unwant(): void {
    this.#fetchTimer?.();
    this.#fetchTimer = undefined;
    this.#fetchAt = Number.POSITIVE_INFINITY;
  }

  async #fetch(): Promise<void> {
    this.#unwant();
    const abort = new AbortController();
    this.#fetching = abort;
    const before = this.holder.position();
    const isBehind = order(before.version, this.#target) === "newer";
    // A 304 is free; a client that knows it is behind can't get a 304, and asks for the patch.
    const useEtag = !this.#fetchWhole && !isBehind && before.etag !== undefined;
    const known = this.#fetchWhole ? {} : useEtag ? { etag: before.etag } : { since: before.version };
    let answer: ContentAnswer | undefined;
    let failure: unknown;
    try {
      answer =
        (await this.#cdn.read(before.version, this.#target, this.#fetchWhole, abort.signal)) ??
        (await getContent(this.endpoint, known, abort.signal));
    } catch (error) {
      failure = error;
    }
    if (this.#fetching !== abort) return;
    this.#fetching = undefined;
    const again = this.#fetchAgain;
    this.#fetchAgain = false;
    if (answer && this.#accept(answer, before.version, useEtag || answer.isCopy === true)) this.#fetched(answer, again);
    else this.#fetchFailed(answer, failure);
    this.holder.attempted();
  }

  /** False where the answer is of no use. */
  #accept(answer: ContentAnswer, before: string | undefined, conditional: boolean): boolean {
    if (answer.status === 304) return conditional;
    if (answer.status !== 200) return false;
    const now = this.holder.position().version;
    const version = isObject(answer.body) ? answer.body.version : undefined;
    if (now !== before && typeof version === "string" && order(now, version) === "foreign") {
      // Another epoch came over the stream while this was under way. Only a new request can show which of the two is newer.
      this.#fetchAgain = true;
      return true;
    }
    let outcome: Outcome;
    try {
      outcome = this.#take(answer);
    } catch {
      outcome = "broken";
    }
    this.#fetchWhole = outcome === "mismatch" || outcome === "broken";
    if (outcome === "mismatch") this.#fetchAgain = true;
    return outcome !== "broken";
  }

  #take({ body, etag }: ContentAnswer): Outcome {
    if (!isObject(body) || !("patch" in body)) return this.holder.takeBody(body, etag);
    const { from, version, patch } = body;
    if (typeof from !== "string" || typeof version !== "string" || !isObject(patch)) return "broken";
    // The ETag is that of the patch; the whole content's is not known.
    return this.holder.takePatch({ from, version, patch, etag: undefined });
  }

  #fetched(answer: ContentAnswer, again: boolean): void {
    const { platform } = this.endpoint;
    if (this.#fetchNotBefore > 0) this.holder.setHold(0);
    this.#fetchNotBefore = 0;
    this.#wasAnswered = true;
    if (answer.isWhole && this.kind === "stream") this.#doWithoutStream();
    const standing = order(this.holder.position().version, this.#target);
    if (this.#fetchAgain || (again && standing !== "same" && standing !== "older")) {
      this.#fetchAgain = false;
      // Only the first time at once: a server whose answers never fit must not keep us asking.
      const isFirst = this.#fetchBackoff.failures === 0;
      const wait = this.#fetchBackoff.fail("transient");
      this.#want(isFirst ? 0 : wait);
      return;
    }
    if (standing === "newer") {
      this.#want(this.#fetchBackoff.fail("transient"));
    } else {
      this.#target = undefined;
      this.#fetchBackoff.reset();
      // The stream will show whether a copy is the newest content.
      if (!answer.isCopy || this.kind === "once" || this.#isPolling) this.holder.confirmed();
    }
    // A listener may have closed the client.
    if (this.kind === "once" || !this.#running) return;
    if (this.#isPolling) {
      this.#setStatus("polling");
      this.#want(Math.max(this.#pollInterval(), answer.maxAgeMs));
      if (this.#pollFailed) this.#planStream(platform.random() * 10_000, true);
      this.#pollFailed = false;
    } else if (!this.#stream) {
      if (!this.#pollTimer) this.#awaitStream();
      this.#planStream(0);
    }
  }

  /** React Native's `fetch` answers only at the end of a body, which a stream does not have. */
  #doWithoutStream(): void {
    const remedy = "Replace globalThis.fetch by a fetch that streams (in React Native: that of expo/fetch)";
    this.holder.warn("stream", `this fetch can't stream, so a release shows within about a minute. ${remedy}`);
    this.#canStream = false;
    this.#cancelPolling();
    this.#isPolling = true;
  }

  #fetchFailed(answer: ContentAnswer | undefined, error: unknown): void {
    // A 200 or 304 here is a body that could not be used: a fault that may pass.
    const failure = answer ? classify(answer) : "transient";
    const retryAfter = parseRetryAfter(answer?.retryAfter ?? null);
    let wait = this.#fetchBackoff.fail(failure, retryAfter);
    if (!this.#wasAnswered && failure === "transient") this.#warnOf(answer, error);
    this.#pollFailed = true;
    if (answer && failure !== "transient") this.#refuse(answer, wait);
    else if (this.#isPolling) {
      wait = Math.max(this.#pollInterval(), retryAfter === undefined ? 0 : wait);
      if (this.#status === "polling") this.#setStatus("down");
    }
    if (failure !== "transient" || retryAfter !== undefined) {
      this.#fetchNotBefore = this.endpoint.platform.now() + wait;
      if (retryAfter !== undefined && wait >= HOLD_WORTH_KEEPING_MS) this.holder.setHold(wait);
    }
    this.#want(wait);
  }

  /** A wrong address looks like a network failure, and would be silent for ever. */
  #warnOf(answer: ContentAnswer | undefined, error: unknown): void {
    const { baseUrl } = this.endpoint;
    const cause = error instanceof Error && error.cause ? ` (${String(error.cause)})` : "";
    const reason = answer ? `it answered ${answer.status} without content of this project` : `${String(error)}${cause}`;
    const advice = "It is tried again. Check baseUrl, and that Livery runs there and can be reached from here";
    this.holder.warn("server", `no content from ${baseUrl || "the page's own server"}: ${reason}. ${advice}`);
  }

  /** The key, the plan or the project forbids it: no stream until a request succeeds again. */
  #refuse({ status, problem }: Pick<ContentAnswer, "status" | "problem">, wait: number): void {
    const reason = problem?.message.slice(0, 200);
    this.holder.warn(
      `status-${status}`,
      `the server answered ${status} ("${reason}"); the content at hand stays in use`,
    );
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.abort();
    this.#streamTimer?.();
    this.#streamTimer = undefined;
    this.#upSince = undefined;
    this.#streamNotBefore = this.endpoint.platform.now() + wait;
    this.#cancelPolling();
    this.#setStatus("down");
    this.holder.refused();
  }

  #pollInterval(): number {
    return POLL_MS * (0.8 + this.endpoint.platform.random() * 0.4);
  }

  // --- stream --------------------------------------------------------------------------------------------------------

  /** Polls if there is no stream in two minutes from now. */
  #awaitStream(): void {
    this.#pollTimer?.();
    if (this.kind === "once") return;
    this.#pollTimer = this.endpoint.platform.after(POLL_AFTER_MS, () => {
      this.#pollTimer = undefined;
      this.#isPolling = true;
      if (!this.#stream) this.#planStream(STREAM_AGAIN_MS, true);
      this.#want(0);
    });
  }

  #cancelPolling(): void {
    this.#pollTimer?.();
    this.#pollTimer = undefined;
    this.#isPolling = false;
  }

  #planStream(delay: number, replace = false): void {
    if (!this.#running || this.#stream || !this.#canStream || this.kind === "once") return;
    if (this.#streamTimer && !replace) return;
    this.#streamTimer?.();
    const { platform } = this.endpoint;
    const wait = Math.max(delay, this.#streamNotBefore - platform.now());
    this.#streamTimer = platform.after(wait, () => this.#openStream());
  }

  async #openStream(): Promise<void> {
    this.#streamTimer = undefined;
    const abort = new AbortController();
    this.#stream = abort;
    this.#bye = undefined;
    const at = { version: this.holder.position().version, resume: this.#resume };
    const { signal } = abort;
    const end = await holdStream(this.endpoint, at, signal, (event) => this.#stream === abort && this.#event(event));
    if (this.#stream !== abort) return;
    this.#stream = undefined;
    this.#streamEnded(end);
  }

  #streamEnded(end: StreamEnd): void {
    const { platform } = this.endpoint;
    const upSince = this.#upSince;
    const retryAfter = parseRetryAfter(end.retryAfter);
    this.#upSince = undefined;
    if (upSince !== undefined) this.#awaitStream();
    this.#setStatus("down");
    const failure = classify(end);
    if (failure !== "transient") {
      const wait = this.#streamBackoff.fail(failure, retryAfter);
      this.#refuse(end, wait);
      this.#unwant();
      this.#want(wait);
      return;
    }
    let wait: number;
    if (upSince === undefined) wait = this.#streamBackoff.fail("transient", retryAfter);
    else {
      if (platform.now() - upSince >= HEALTHY_MS) this.#streamBackoff.reset();
      wait = this.#streamBackoff.lost(this.#bye);
    }
    if (retryAfter !== undefined) this.#streamNotBefore = platform.now() + wait;
    if (this.#isPolling) wait = Math.max(wait, STREAM_AGAIN_MS);
    this.#planStream(Math.max(wait, Math.min(end.retry ?? 0, MAX_WAIT_MS)));
  }

  /** False ends the stream. Unknown events are for newer clients. */
  #event(event: ServerEvent): boolean {
    if (event.type !== "hello" && event.type !== "release" && event.type !== "bye") return true;
    let data: unknown;
    try {
      data = JSON.parse(event.data);
    } catch {
      return false;
    }
    if (!isObject(data)) return false;
    if (event.type === "bye") {
      this.#bye = typeof data.spreadMs === "number" ? data.spreadMs : undefined;
      return false;
    }
    if (!parseVersion(data.version)) return false;
    const version = data.version as string;
    return event.type === "hello" ? this.#hello(version) : this.#release(version, data);
  }

  #hello(version: string): boolean {
    this.#upSince = this.endpoint.platform.now();
    this.#resume = true;
    if (this.#isPolling) this.#unwant();
    this.#cancelPolling();
    this.#setStatus("live");
    switch (order(this.holder.position().version, version)) {
      case "newer":
        this.#target = version;
        this.#want(CATCH_UP_MS);
        break;
      case "foreign":
        this.#want(0);
        break;
      default:
        this.holder.confirmed();
    }
    return true;
  }

  #release(version: string, data: Record<string, unknown>): boolean {
    const standing = order(this.holder.position().version, version);
    if (standing === "same" || standing === "older") return true;
    if (standing === "newer") this.#target = version;
    if (data.refetch === true) {
      const spread = typeof data.spreadMs === "number" ? Math.min(Math.max(data.spreadMs, 0), MAX_WAIT_MS) : 0;
      // A planned request that comes earlier would defeat the spread.
      this.#unwant();
      this.#want(this.endpoint.platform.random() * spread);
      return true;
    }
    const { from, patch, etag } = data;
    if (typeof from !== "string" || !isObject(patch)) return false;
    const outcome = this.holder.takePatch({
      from,
      version,
      patch,
      etag: typeof etag === "string" ? quoted(etag) : undefined,
    });
    if (outcome === "broken") this.#fetchWhole = true;
    if (outcome === "broken" || outcome === "mismatch") this.#want(0);
    else if (order(this.holder.position().version, this.#target) !== "newer") {
      this.#target = undefined;
      this.#unwant();
      this.holder.confirmed();
    }
    return outcome !== "broken";
  }

  #setStatus(status: Status): void {
    if (this.#status === status) return;
    this.#status = status;
    this.holder.statusChanged();
  }
}

/** An entity tag as a header carries it. */
function quoted(etag: string): string {
  return etag.endsWith('"') ? etag : `"${etag}"`;
}
