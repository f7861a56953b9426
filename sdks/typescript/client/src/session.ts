/** One language's connection, shared by the tabs of an origin: the leader holds it and passes on what it gets. A preview is its tab's alone. */

import { Connection, type Holder, type Status } from "./connection.js";
import { isObject, readBody } from "./content.js";
import type { Cancel, Channel, Lifecycle } from "./platform.js";
import type { Endpoint } from "./requests.js";
import type { LiveryContent } from "./types.js";

/** The owner of the content, as a session needs it. */
export interface SessionHolder extends Holder {
  current(): { content: LiveryContent; etag: string | undefined } | undefined;
  /** Content that another tab has already checked and stored. */
  takeFromTab(content: LiveryContent, etag: string | undefined): void;
  /** Writes to the device what is still to be written: the page may be gone soon. */
  flush(): void;
  /** The session has ended. */
  closed(): void;
}

const HIDDEN_MS = 60_000;
/** A leader that does not answer for this long is taken for frozen: a tab without content then asks for itself. */
const PATIENCE_MS = 3_000;
const CHECK_SPREAD_MS = 2_000;

export class Session {
  readonly #connection: Connection;
  readonly #name: string;
  #channel: Channel | undefined;
  #leadership: AbortController | undefined;
  #isLeader = false;
  #isPaused = false;
  #isOffline = false;
  #leaderStatus: Status = "down";
  #leaderAnswered = false;
  #isFirstStart = true;
  #hiddenTimer: Cancel | undefined;
  #patience: Cancel | undefined;
  #alone: Connection | undefined;
  readonly #unlisten: Cancel;

  constructor(
    readonly endpoint: Endpoint,
    readonly holder: SessionHolder,
    readonly kind: "stream" | "once",
  ) {
    const { platform } = endpoint;
    const relay: Holder = {
      ...holder,
      takeBody: (body, etag) => this.#share(() => holder.takeBody(body, etag)),
      takePatch: (patch) => this.#share(() => holder.takePatch(patch)),
      confirmed: () => {
        holder.confirmed();
        this.#postStatus();
      },
      statusChanged: () => {
        this.#postStatus();
        holder.statusChanged();
      },
    };
    this.#connection = new Connection(endpoint, relay, kind);
    this.#name = `livery:${endpoint.baseUrl}:${endpoint.projectId}:${endpoint.language}`;
    this.#unlisten = platform.onLifecycle((event) => this.#lifecycle(event));
    // What the platform reports about being online is believed only when it changes: some report "offline" beside a local server.
    this.#join();
    if (!platform.visible()) this.#lifecycle("hidden");
  }

  get status(): Status {
    return this.#isLeader ? this.#connection.status : this.#leaderStatus;
  }

  close(): void {
    this.#unlisten();
    this.#hiddenTimer?.();
    this.#leave();
    this.#closeChannel();
    this.holder.closed();
  }

  #closeChannel(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }

  // --- leadership ----------------------------------------------------------------------------------------------------

  #join(): void {
    const { lock, channel } = this.endpoint.platform;
    if (this.kind === "stream" && lock && channel && !this.endpoint.preview) {
      this.#channel ??= channel(this.#name, (message) => this.#receive(message));
    }
    if (!lock || !this.#channel) {
      this.#lead();
      return;
    }
    const leadership = new AbortController();
    this.#leadership = leadership;
    this.#leaderAnswered = false;
    lock(this.#name, leadership.signal, () => {
      if (this.#leadership === leadership) this.#lead();
    });
    this.#channel.post({ kind: "ask" });
    this.#patience = this.endpoint.platform.after(PATIENCE_MS, () => {
      if (this.#isLeader || this.#leaderAnswered) return;
      this.#alone = new Connection(this.endpoint, this.holder, "once");
      this.#alone.start();
    });
  }

  #lead(): void {
    this.#isLeader = true;
    this.#patience?.();
    this.#alone?.stop();
    if (!this.#isOffline) this.#begin();
  }

  #begin(): void {
    // The first start is someone waiting for a page; every other may be thousands of devices waking at once.
    const delay = this.#isFirstStart ? 0 : this.endpoint.platform.random() * CHECK_SPREAD_MS;
    this.#isFirstStart = false;
    this.#connection.start(delay);
  }

  #leave(): void {
    this.#patience?.();
    this.#alone?.stop();
    this.#connection.stop();
    this.#isLeader = false;
    this.#leaderStatus = "down";
    this.#leadership?.abort();
    this.#leadership = undefined;
  }

  // --- life cycle ----------------------------------------------------------------------------------------------------

  #lifecycle(event: Lifecycle): void {
    if (event === "hidden" || event === "left") this.holder.flush();
    if (event === "hidden") {
      this.#hiddenTimer?.();
      this.#hiddenTimer = this.endpoint.platform.after(HIDDEN_MS, () => this.#pause());
      return;
    }
    if (event === "left") {
      this.#hiddenTimer?.();
      this.#pause();
      // A page with an open channel or a held lock does not get into the back-forward cache.
      this.#closeChannel();
      return;
    }
    if (event === "offline") {
      this.#isOffline = true;
      if (this.#isLeader) this.#connection.stop();
      return;
    }
    if (event === "visible") this.#hiddenTimer?.();
    const wasOffline = this.#isOffline;
    this.#isOffline = false;
    if (this.#isPaused) {
      if (event === "online") return;
      this.#isPaused = false;
      this.#join();
    } else if (!this.#isLeader) this.#channel?.post({ kind: "ask" });
    else if (wasOffline) this.#begin();
    else this.#connection.check(CHECK_SPREAD_MS);
  }

  #pause(): void {
    this.#isPaused = true;
    this.#leave();
    this.holder.statusChanged();
  }

  // --- between tabs --------------------------------------------------------------------------------------------------

  #share<Outcome>(take: () => Outcome): Outcome {
    const before = this.holder.current()?.content;
    const outcome = take();
    if (this.holder.current()?.content !== before) this.#postContent();
    return outcome;
  }

  #postContent(): void {
    const current = this.holder.current();
    if (current) this.#post({ kind: "content", content: current.content, etag: current.etag });
  }

  #postStatus(): void {
    if (this.#isLeader) this.#post({ kind: "status", status: this.#connection.status });
  }

  #post(message: unknown): void {
    this.#channel?.post(message);
  }

  #receive(message: unknown): void {
    if (!isObject(message)) return;
    if (message.kind === "ask") {
      if (!this.#isLeader) return;
      this.#postContent();
      this.#postStatus();
      return;
    }
    if (this.#isLeader) return;
    if (message.kind === "content") {
      const content = readBody(message.content, this.endpoint.projectId);
      if (content) this.holder.takeFromTab(content, typeof message.etag === "string" ? message.etag : undefined);
    } else if (message.kind === "status") {
      const { status } = message;
      if (status !== "live" && status !== "polling" && status !== "down") return;
      this.#leaderAnswered = true;
      this.#alone?.stop();
      const changed = this.#leaderStatus !== status;
      this.#leaderStatus = status;
      if (changed) this.holder.statusChanged();
      if (status !== "down") this.holder.confirmed();
    }
  }
}
