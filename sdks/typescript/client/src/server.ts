/** @livery/client/server: content for servers that render pages, held across requests. A page waits for Livery at most once. */

import { Backoff, classify, parseRetryAfter } from "./backoff.js";
import { createPlatform } from "./browser.js";
import { withNetwork } from "./browser-network.js";
import { CacheWriter } from "./cache-writer.js";
import { Cdn } from "./cdn.js";
import { Client } from "./client.js";
import { isObject } from "./content.js";
import { Holding } from "./holding.js";
import { checkOptions } from "./options.js";
import type { Platform } from "./platform.js";
import { type ContentAnswer, getContent } from "./requests.js";
import { remember } from "./sharing.js";
import { Taker } from "./taking.js";
import type { LiveryClient, LiveryContent, LiveryFallback, LiveryOptions } from "./types.js";

/** What `createServerLivery` takes. */
export interface ServerLiveryOptions
  extends Pick<
    LiveryOptions,
    "projectId" | "key" | "baseUrl" | "contentUrl" | "fallback" | "format" | "timeZone" | "onWarning"
  > {
  /** For how long content counts as new, in ms (default 10,000). Afterwards, the next request makes the server ask Livery, behind the page. */
  maxAge?: number;
}

/** The content of one project on a server, in the languages that were asked for. */
export interface ServerLivery {
  /**
   * Resolves to a client that shows the newest content held in this language. All requests share it: read from it, and don't switch its language. Only while
   * the first answer of Livery is under way is it delayed, by `timeout` ms at most (default 1,000). Never rejects.
   */
  client(language?: string, options?: { timeout?: number }): Promise<LiveryClient>;
  /** Ends the requests under way. */
  close(): void;
}

interface Surroundings {
  readonly options: ServerLiveryOptions;
  readonly platform: Platform;
  readonly warn: (id: string, message: string) => void;
}

const MAX_AGE_MS = 10_000;
const TIMEOUT_MS = 1_000;
/** Languages may come from the headers of strangers. */
const MAX_LANGUAGES = 100;
const MAX_WARNINGS = 1_000;

/** Starts with no request. One for each process; it leaves no timers, so a build or a script can end. `platform` is for tests. */
export function createServerLivery(options: ServerLiveryOptions, platform?: Platform): ServerLivery {
  checkOptions(options);
  const place = platform ?? withNetwork(createPlatform());
  const warned = new Set<string>();
  const tell = (message: string) => {
    if (warned.has(message) || warned.size >= MAX_WARNINGS) return;
    warned.add(message);
    (options.onWarning ?? place.warn)(message);
  };
  const surroundings: Surroundings = {
    options: { ...options, baseUrl: options.baseUrl.replace(/\/+$/, ""), onWarning: tell },
    platform: place,
    warn: (_, message) => tell(`[livery] ${message}`),
  };
  const languages = new Map<string, Language>();
  return {
    async client(language = "", { timeout = TIMEOUT_MS } = {}) {
      const held = languages.get(language) ?? new Language(language, surroundings);
      remember(languages, language, held, MAX_LANGUAGES);
      return await held.client(timeout);
    },
    close() {
      for (const held of languages.values()) held.close();
    },
  };
}

class Language {
  readonly #holding: Holding;
  readonly #taker: Taker;
  readonly #cdn: Cdn;
  readonly #backoff: Backoff;
  readonly #closed = new AbortController();
  #client: LiveryClient;
  #checking: Promise<void> | undefined;
  #isFirst = true;
  /** The next request to Livery is not sent before this time. */
  #notBefore = 0;

  constructor(
    readonly language: string,
    readonly place: Surroundings,
  ) {
    const { options, platform, warn } = place;
    const { baseUrl, projectId } = options;
    this.#holding = new Holding({ storage: undefined, baseUrl, projectId, warn }, []);
    this.#holding.open(language);
    const cache = new CacheWriter(this.#holding.shelf, platform);
    this.#taker = new Taker(this.#holding, cache, ({ content }) => {
      this.#client = this.#show(content);
    });
    this.#cdn = new Cdn({ ...options, platform, language }, (message) => warn("cdn", message));
    this.#backoff = new Backoff(() => platform.random());
    this.#client = this.#show();
  }

  async client(timeout: number): Promise<LiveryClient> {
    const { platform } = this.place;
    if (!this.#checking && platform.now() >= this.#notBefore && !this.#closed.signal.aborted) this.#check();
    if (this.#isFirst && this.#checking) {
      const checked = this.#checking;
      await new Promise<void>((resolve) => {
        const cancel = platform.after(timeout, resolve);
        checked.then(() => {
          cancel();
          resolve();
        });
      });
      // Later requests are not delayed: while Livery is down or slow they get the content held.
      this.#isFirst = false;
    }
    return this.#client;
  }

  close(): void {
    this.#closed.abort();
  }

  #check(): void {
    const { platform, options } = this.place;
    this.#checking = this.#ask().then((wait) => {
      this.#notBefore = platform.now() + (wait ?? options.maxAge ?? MAX_AGE_MS);
      this.#checking = undefined;
    });
  }

  /** The pause after a failure, in ms; undefined after a success. Never rejects. */
  async #ask(): Promise<number | undefined> {
    const { platform, options, warn } = this.place;
    const { latest } = this.#holding;
    const { signal } = this.#closed;
    let reason = "";
    let answer: ContentAnswer | undefined;
    try {
      const to = { ...options, platform, language: this.language };
      answer =
        (await this.#cdn.read(latest?.content.version, undefined, false, signal)) ??
        (await getContent(to, { etag: latest?.etag }, signal));
      const isGood = answer.status === 304 ? latest !== undefined : answer.status === 200 && this.#take(answer);
      if (isGood) {
        this.#backoff.reset();
        return undefined;
      }
      const { status, problem } = answer;
      reason = problem ? `${status} ("${problem.message.slice(0, 200)}")` : `status ${status} without content`;
    } catch (error) {
      const cause = error instanceof Error && error.cause ? ` (${String(error.cause)})` : "";
      reason = `${String(error)}${cause}`;
    }
    if (!signal.aborted)
      warn("server", `no content from ${options.baseUrl}: ${reason}. Pages show the content at hand`);
    const retryAfter = parseRetryAfter(answer?.retryAfter ?? null);
    return this.#backoff.fail(answer ? classify(answer) : "transient", retryAfter);
  }

  #take({ body, etag }: ContentAnswer): boolean {
    return isObject(body) && this.#taker.takeBody(body, etag) !== "broken";
  }

  #show(content?: LiveryContent): LiveryClient {
    const { options, platform } = this.place;
    const bundles: LiveryFallback[] = [options.fallback ?? []].flat();
    const fallback = content ? [content, ...bundles] : bundles;
    const quiet = { connection: "off", cache: false, preview: false } as const;
    return new Client({ ...options, ...quiet, language: this.language, fallback }, platform);
  }
}
