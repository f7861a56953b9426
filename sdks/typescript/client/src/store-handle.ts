/** A store as apps hold it. The code that fetches items is loaded when somebody first asks for items. */

import type { Part } from "./parts.js";
import type { Store, StoreHolder } from "./stores.js";
import type { AnyItem, LiveryContent, LiveryItems, LiveryStore } from "./types.js";

type Code = typeof import("./stores.js");

export class StoreHandle implements LiveryStore<AnyItem> {
  #store: Store | undefined;

  constructor(
    readonly name: string,
    readonly holder: StoreHolder,
    readonly part: Part<Code>,
  ) {}

  get current(): readonly AnyItem[] | undefined {
    return this.#store?.current;
  }

  items(): LiveryItems<AnyItem> {
    const all = this.part.load().then(
      (code) => this.#open(code).items(),
      (cause) => {
        throw new Error(`the store "${this.name}" can't be fetched: its code was not loaded`, { cause });
      },
    );
    return Object.assign(all, {
      async *[Symbol.asyncIterator]() {
        yield* await all;
      },
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    let stop = this.part.request((code) => {
      stop = this.#open(code).subscribe(listener);
    });
    return () => stop();
  };

  /** Fetches the items that this content brings. Undefined if there is nothing to fetch, or nobody watches. */
  prepare(content: LiveryContent): Promise<void> | undefined {
    return this.#store?.prepare(content);
  }

  /** The content shown has changed. Listeners are not called before `contentChanged`. */
  adopt(): void {
    this.#store?.adopt();
  }

  /** The content shown has changed, and listeners of the client know it. */
  contentChanged(): void {
    this.#store?.contentChanged();
  }

  close(): void {
    this.#store?.close();
  }

  #open({ Store }: Code): Store {
    this.#store ??= new Store(this.name, this.holder);
    return this.#store;
  }
}
