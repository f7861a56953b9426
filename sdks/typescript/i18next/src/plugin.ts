/** The plugin: it follows i18next's language, answers i18next's look-ups from Livery's content, and announces releases to it. */

import { createLivery, type LiveryClient, type LiveryContent, type LiveryOptions } from "@livery/client";
import type { i18n, ReadCallback, ThirdPartyModule } from "i18next";
import {
  type CallOptions,
  choose,
  isPlural,
  type Naming,
  nameOf,
  namesOfPlural,
  type Source,
  textOf,
  textsBelow,
} from "./texts.js";

/** The options of a client without its language, which is i18next's; or a client that the app has made. */
export type LiveryI18nextOptions = (Omit<LiveryOptions, "language"> | { client: LiveryClient }) & {
  /** Puts all texts on this screen, with their whole names as keys. Absent: the first dot separates screen and key. */
  screen?: string | undefined;
};

/** The plugin, with what i18next has no place for. */
export interface LiveryI18next extends ThirdPartyModule {
  /** For colours, images and stores. Undefined until i18next knows its language. */
  readonly client: LiveryClient | undefined;
  /** Follows i18next no more, and closes the client that the plugin has made. Texts can still be read. */
  close(): void;
}

type Resources = (lng: string, ns: string, key?: string, options?: CallOptions) => unknown;

/** What i18next has and does not declare. */
interface Store {
  getResource: Resources;
  hasLanguageSomeTranslations(lng: string | undefined): boolean;
  emit(event: string): void;
}
interface Instance extends Omit<i18n, "store"> {
  store: Store;
  isLanguageChangingTo?: string;
  setResolvedLanguage?(lng: string): void;
}

/** A content, and the code in i18next's chain of languages that it answers for. */
interface Place extends Source {
  readonly code: string | undefined;
}

/**
 * The store's event that makes components of react-i18next render. i18next's own event `added` also comes while React renders, when
 * a missing key is saved.
 */
const RELEASE = "livery";

const subtags = (code: string) => code.replaceAll("_", "-").toLowerCase().split("-");

class Plugin implements LiveryI18next {
  readonly type = "3rdParty";
  readonly #options: LiveryI18nextOptions;
  #i18n!: Instance;
  #naming!: Naming;
  #client: LiveryClient | undefined;
  /** Settles when the content asked for is there, or is not expected any more. */
  #arrival: Promise<void> | undefined;
  #place: Place | undefined;
  /** What `#place` was made of. */
  #madeOf: readonly unknown[] = [];
  /** The texts that i18next has been notified of. */
  #announced: LiveryContent["texts"] | undefined;
  #stops: (() => void)[] = [];
  #isClosed = false;

  constructor(options: LiveryI18nextOptions) {
    this.#options = options;
    if ("client" in options) this.#client = options.client;
  }

  get client(): LiveryClient | undefined {
    return this.#client;
  }

  init(instance: i18n): void {
    this.#stop();
    const i18n = instance as unknown as Instance;
    this.#i18n = i18n;
    const { defaultNS, react } = i18n.options;
    this.#naming = { defaultNamespace: [defaultNS || []].flat()[0], screen: this.#options.screen };
    this.#overlay(i18n.store);
    const connector = i18n.services.backendConnector;
    // An app may keep its backend: its texts then fill in for what Livery does not have.
    connector.backend ??= { type: "backend", read: this.#read };
    i18n.options.react = { ...react, bindI18nStore: `${react?.bindI18nStore || ""} ${RELEASE}`.trim() };
    this.#on("languageChanging", this.#follow);
    this.#on("languageChanged", (lng) => {
      this.#follow(lng);
      this.#announced = this.#current()?.content.texts;
    });
    if (this.#client) this.#listen(this.#client);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    if (!("client" in this.#options)) this.#client?.close();
  }

  #on(event: string, listener: (lng: string | undefined) => void): void {
    const i18n = this.#i18n;
    i18n.on(event, listener);
    this.#stops.push(() => i18n.off(event, listener));
  }

  #stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  // --- language ------------------------------------------------------------------------------------------------------

  /** i18next's chain of languages: the language itself, then its fallbacks. */
  #codes(lng: string): string[] {
    const { languageUtils } = this.#i18n.services;
    return languageUtils.toResolveHierarchy(languageUtils.getBestMatchFromCodes([lng]) ?? lng);
  }

  /** The language to ask Livery for. `dev` is i18next's word for no language: the project's default language. */
  #wanted(lng: string): string | undefined {
    const code = lng === "cimode" ? undefined : this.#codes(lng)[0];
    return code === "dev" ? "" : code?.replaceAll("_", "-");
  }

  readonly #follow = (lng: string | undefined): void => {
    const language = lng && !this.#isClosed ? this.#wanted(lng) : undefined;
    if (language === undefined) return;
    if (!this.#client) this.#listen(createLivery({ ...(this.#options as LiveryOptions), language }));
    else if (language !== this.#client.requestedLanguage) {
      const switched = this.#client.setLanguage(language);
      this.#expect(this.#client.snapshot ? switched : this.#client.ready());
    }
  };

  #listen(client: LiveryClient): void {
    this.#client = client;
    this.#stops.push(client.subscribe(() => this.#changed()));
    if (!client.snapshot) this.#expect(client.ready());
  }

  #expect(content: Promise<unknown>): void {
    const arrival = content.then(() => {
      if (this.#arrival === arrival) this.#arrival = undefined;
    });
    this.#arrival = arrival;
  }

  /** Waits for the content of i18next's language, and gives i18next no data: look-ups come to `#overlay`. */
  readonly #read = (lng: string, _ns: string, callback: ReadCallback): void => {
    const target = this.#i18n.isLanguageChangingTo || this.#i18n.language;
    this.#follow(target);
    const answer = () => {
      if (this.#client?.snapshot) callback(null, undefined);
      // Not `true`: i18next would ask again, and the client does that already.
      else callback(new Error("livery: no content yet; the client keeps trying"), false);
    };
    // The language may change again before the answer: then the last language counts.
    const wait = (): unknown => (this.#arrival ? this.#arrival.then(wait) : answer());
    if (target && lng === this.#codes(target)[0]) wait();
    else callback(null, undefined);
  };

  // --- texts ---------------------------------------------------------------------------------------------------------

  /** The content shown. It stays that of the language before until i18next has changed its language. */
  #current(): Place | undefined {
    const client = this.#client;
    const content = client?.snapshot;
    const { language } = this.#i18n;
    if (!client || !content || !language) return this.#place;
    const madeOf = [content, language, client.requestedLanguage];
    if (madeOf.every((one, index) => one === this.#madeOf[index])) return this.#place;
    if (this.#place && this.#wanted(language) !== client.requestedLanguage) return this.#place;
    this.#madeOf = madeOf;
    const [primary, ...rest] = subtags(content.language);
    const codes = this.#codes(language);
    const same = codes.find((code) => subtags(code).join() === [primary, ...rest].join());
    const similar = same ?? codes.find((code) => subtags(code)[0] === primary);
    const bundle = client.reader(undefined);
    const isBundleOfLanguage = subtags(bundle.language)[0] === primary;
    this.#place = { content, bundle: isBundleOfLanguage ? bundle : undefined, code: similar ?? codes.at(-1) };
    return this.#place;
  }

  #overlay(store: Store): void {
    const getResource: Resources = store.getResource.bind(store);
    const hasSome = store.hasLanguageSomeTranslations.bind(store);
    store.hasLanguageSomeTranslations = (lng) => (Boolean(lng) && this.#current()?.code === lng) || hasSome(lng);
    store.getResource = (lng, ns, key, options = {}) => {
      const place = this.#current();
      if (!place || lng !== place.code || typeof key !== "string" || !key) return getResource(lng, ns, key, options);
      const defaults = this.#i18n.options;
      const keySeparator = options.keySeparator ?? defaults.keySeparator;
      const find = (name: string) => nameOf(name, ns, this.#naming, keySeparator);
      const textAt = (name: string) => {
        const found = find(name);
        return found && textOf(place, found);
      };
      // Livery has one message for all forms. It comes before forms that the app brings.
      const plurals = options.count === undefined ? [] : namesOfPlural(key, defaults.pluralSeparator);
      const text = textAt(key) ?? plurals.map(textAt).find(isPlural);
      if (text !== undefined) return this.#format(text, place, options);
      const brought = getResource(lng, ns, key, options);
      const isObject = options.returnObjects ?? defaults.returnObjects ?? false;
      if (brought !== undefined || !(isObject || (options.joinArrays ?? defaults.joinArrays))) return brought;
      const below = find(`${key}${keySeparator || "."}x`);
      return below && textsBelow(place, below, (one) => this.#format(one, place, options));
    };
  }

  #format(text: string, { content }: Place, call: CallOptions): string {
    const { options, services } = this.#i18n;
    // A plugin such as i18next-icu formats by itself.
    return services.i18nFormat?.parse ? text : choose(text, content.language, call, options.interpolation);
  }

  #changed(): void {
    const { language, options, store } = this.#i18n;
    const texts = this.#current()?.content.texts;
    if (texts === this.#announced || !language) return;
    this.#announced = texts;
    this.#i18n.setResolvedLanguage?.(language);
    const namespaces = [options.ns ?? []].flat();
    store.emit(RELEASE);
    this.#i18n.emit("loaded", { [language]: Object.fromEntries(namespaces.map((namespace) => [namespace, true])) });
  }
}

/** The plugin for `i18next.use(…)`. One plugin belongs to one i18next instance. */
export function livery(options: LiveryI18nextOptions): LiveryI18next {
  return new Plugin(options);
}
