/** The client of an app as Svelte's components read it: getters and functions that effects and templates follow. */

import type { LiveryClient, LiveryContent, LiveryReader, LiveryState, StoreItem, StoreKey } from "@livery/client";
import { getContext, onMount, setContext } from "svelte";
import { createSubscriber } from "svelte/reactivity";

/** What `setLivery` takes. */
export interface SetLiveryOptions {
  /**
   * Server rendering: the `client.snapshot` that the server rendered with, sent along with the page. Hydration reads it, so
   * that the markup matches; once the component is mounted, the client's own content shows.
   */
  serverContent?: LiveryContent | undefined;
}

/** What `getLivery` returns. Read members where they are used: a member taken out of it (`const { language } = …`) stays as it is. */
export class LiveryInSvelte {
  readonly client: LiveryClient;
  #rendered: LiveryReader | undefined;
  #endHydration = () => {};
  readonly #hydration = createSubscriber((update) => {
    this.#endHydration = update;
  });
  readonly #stores = new Map<string, () => void>();
  readonly #texts = this.#follow((client) => client.snapshot?.texts);
  readonly #colors = this.#follow((client) => client.colors());
  readonly #images = this.#follow((client) => client.snapshot?.images);
  readonly #language = this.#follow((client) => `${client.language} ${client.languages} ${client.requestedLanguage}`);
  readonly #state = this.#follow((client) => client.state);

  constructor(client: LiveryClient, serverContent: LiveryContent | undefined) {
    this.client = client;
    if (serverContent) this.#rendered = client.reader(serverContent);
  }

  /** The text, as the client's `t`. */
  readonly t = ((...args: Parameters<LiveryReader["t"]>) => this.#read(this.#texts).t(...args)) as LiveryReader["t"];

  /** The colour, as the client's `color`. */
  readonly color = ((key: never, fallback: string) =>
    this.#read(this.#colors).color(key, fallback)) as LiveryReader["color"];

  /** All colours; the same object until one of them changes. */
  get colors(): Readonly<Record<string, string>> {
    return this.#read(this.#colors).colors();
  }

  /** The image, as the client's `image`. */
  readonly image: LiveryReader["image"] = (key) => this.#read(this.#images).image(key);

  /** The items of a store in the language shown; undefined until they are here. They are kept up to date while an effect or a template reads them. */
  readonly store = <Key extends StoreKey>(name: Key): readonly StoreItem<Key>[] | undefined => {
    const store = this.client.store(name);
    const known = this.#stores.get(name) ?? createSubscriber((update) => store.subscribe(update));
    this.#stores.set(name, known);
    this.#read(known);
    return this.#rendered ? undefined : store.current;
  };

  /** The language shown. */
  get language(): string {
    return this.#read(this.#language).language;
  }

  /** The language last asked for: what a language menu should show as chosen. */
  get requestedLanguage(): string {
    this.#read(this.#language);
    return this.client.requestedLanguage;
  }

  /** The languages of the project. */
  get languages(): readonly string[] {
    return this.#read(this.#language).languages;
  }

  /** The writing direction of the language shown. */
  get direction(): "ltr" | "rtl" {
    return this.#read(this.#language).direction;
  }

  /** `live`, `polling`, `cached` …; while hydrating with `serverContent`: `cached`. */
  get state(): LiveryState {
    this.#read(this.#state);
    return this.#rendered ? "cached" : this.client.state;
  }

  get setLanguage(): LiveryClient["setLanguage"] {
    return this.client.setLanguage;
  }

  /** The page is hydrated: from now on the client's own content shows. */
  hydrated(): void {
    if (!this.#rendered) return;
    this.#rendered = undefined;
    this.#endHydration();
  }

  #read(follow: () => void): LiveryReader {
    this.#hydration();
    follow();
    return this.#rendered ?? this.client;
  }

  /** Returns a function: the effect that calls it runs again when `select` gives another value. */
  #follow(select: (client: LiveryClient) => unknown): () => void {
    return createSubscriber((update) => {
      let last = select(this.client);
      const compare = () => {
        const now = select(this.client);
        if (now !== last) update();
        last = now;
      };
      const stops = [this.client.subscribe(compare), this.client.subscribeState(compare)];
      return () => stops.map((stop) => stop());
    });
  }
}

const KEY = Symbol("livery");

/** Call it in the root component (in SvelteKit: `+layout.svelte`). The client stays open: to close it is the caller's part. */
export function setLivery(client: LiveryClient, options: SetLiveryOptions = {}): LiveryInSvelte {
  const livery = new LiveryInSvelte(client, options.serverContent);
  onMount(() => livery.hydrated());
  return setContext(KEY, livery);
}

/** What `setLivery` made, in the components below. */
export function getLivery(): LiveryInSvelte {
  const livery = getContext<LiveryInSvelte | undefined>(KEY);
  if (!livery) throw new Error("livery: no component above calls setLivery(client)");
  return livery;
}
