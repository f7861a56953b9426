/** The parts of this package that a client loads when it first needs them. The first answers are there without them. */

import { importAgain } from "./import-again.js";
import { pause } from "./pause.js";
import type { Cancel, Parts, Surroundings } from "./platform.js";

/** A device that has just come back may be one of thousands. */
const BACK_SPREAD_MS = 2_000;

/** Bundlers make a file of each `import()` with a literal. */
export const PARTS: Parts = {
  network: () => import("./network.js"),
  stores: () => import("./stores.js"),
  preview: () => import("./preview.js"),
};

/** Loads one part for all who requested it. After a failure it tries again, until the part is there or every request is withdrawn. */
export class Part<Code> {
  readonly #requests = new Set<(code: Code) => void>();
  #failures = 0;
  #pauses = 0;
  #isLoading = false;
  #isClosed = false;
  #cancel: Cancel | undefined;

  constructor(
    readonly source: () => Promise<Code>,
    readonly platform: Surroundings,
    readonly failed: (error: unknown) => void,
  ) {}

  /** Calls back once the part is loaded. Returns a function that withdraws the request. */
  request(use: (code: Code) => void): Cancel {
    if (!this.#isClosed) this.#requests.add(use);
    this.#begin();
    return () => {
      this.#requests.delete(use);
      if (this.#requests.size === 0) this.#stop();
    };
  }

  /** Makes one attempt. Rejects if the part can't be loaded now. */
  async load(): Promise<Code> {
    try {
      return await this.source();
    } catch (error) {
      const address = /imported module: (\S+)$/.exec(String(error))?.[1];
      if (this.#failures++ === 0 || !address) throw error;
      // Chromium before 2026 remembers the failure of an address. Another fragment makes it another address of the same file.
      return await importAgain(`${address}#${this.#failures}`);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#requests.clear();
    this.#stop();
  }

  async #begin(): Promise<void> {
    if (this.#isLoading || this.#cancel || this.#requests.size === 0) return;
    this.#isLoading = true;
    try {
      const code = await this.load();
      for (const use of this.#requests) {
        this.#requests.delete(use);
        use(code);
      }
    } catch (error) {
      if (this.#requests.size > 0) this.#retry(error);
    }
    this.#isLoading = false;
  }

  #retry(error: unknown): void {
    const { platform } = this;
    let timer: Cancel | undefined;
    const after = (wait: number) => {
      timer?.();
      timer = platform.after(wait, () => {
        this.#stop();
        this.#begin();
      });
    };
    after(pause(this.#pauses++, platform.random()));
    const unlisten = platform.onLifecycle((event) => {
      if (event === "online" || event === "visible") after(platform.random() * BACK_SPREAD_MS);
    });
    this.#cancel = () => {
      timer?.();
      unlisten();
    };
    this.failed(error);
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
