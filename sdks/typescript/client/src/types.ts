/** The public types of the client: options, content as apps see it, and the client itself. */

/**
 * Names the keys of your project, for typed `t`, `color`, `image` and `store`. Augment it:
 *
 * ```ts
 * declare module "@livery/client" {
 *   interface LiveryKeys {
 *     texts: TextKeys<typeof bundled>;
 *     colors: keyof typeof bundled.colors;
 *     stores: { products: { title?: string; price?: number } };
 *   }
 * }
 * ```
 * What is not named stays `string`. With `params: { "home.greeting": { name: TextParam } }`, the text needs these parameters.
 * `npx @livery/cli pull` writes all of it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it exists to be augmented by the app
export interface LiveryKeys {}

type Named<Field extends string> = LiveryKeys extends Record<Field, infer Keys extends string> ? Keys : string;

/** A key of a text, `"screen.key"`, or `"key"` of the screen `general`: one of `LiveryKeys["texts"]`, or any string where that is absent. */
export type TextKey = Named<"texts">;
/** A key of a colour: one of `LiveryKeys["colors"]`, or any string where that is absent. */
export type ColorKey = Named<"colors">;
/** A key of an image: one of `LiveryKeys["images"]`, or any string where that is absent. */
export type ImageKey = Named<"images">;

/** An item of any store: its fields by name; what an item has no value for is not there. */
export interface AnyItem {
  readonly _id: string;
  readonly [field: string]: unknown;
}

type Stores = LiveryKeys extends { stores: infer Named extends object } ? Named : Record<string, AnyItem>;

/** The API identifier of a store. */
export type StoreKey = keyof Stores & string;

/** An item of the store `Key`, as `LiveryKeys["stores"]` describes it: `{ products: { title?: string; price?: number } }`. */
export type StoreItem<Key extends StoreKey = StoreKey> = Stores[Key] & { readonly _id: string };

/** All items at once: await it, or go over it with `for await`. */
export interface LiveryItems<Item> extends Promise<readonly Item[]>, AsyncIterable<Item> {}

/** A store: its items are fetched when they are asked for, and kept in memory until the content shows that they changed. */
export interface LiveryStore<Item> {
  /** The API identifier. */
  readonly name: string;
  /** The items last fetched, in the dashboard's order; undefined before that. The same list, and the same objects in it, until they change. */
  readonly current: readonly Item[] | undefined;
  /**
   * All items, of one release, in the language shown. Empty where there is no such store. When they can't be had now, it gives the
   * items of before; it rejects only where there are no items.
   */
  items(): LiveryItems<Item>;
  /** Fetches the items, keeps them up to date and calls back after each change, until the unsubscriber is called. */
  subscribe(listener: () => void): () => void;
}

/** `"screen.key"` for every text of a bundled snapshot, e.g. `TextKeys<typeof bundled>`. */
export type TextKeys<Bundle extends { texts: object }> = {
  [Screen in keyof Bundle["texts"] & string]: `${Screen}.${keyof Bundle["texts"][Screen] & string}`;
}[keyof Bundle["texts"] & string];

/**
 * A value of a parameter. For `{day, date}` and `{at, time}` it is a `Date`, milliseconds since 1970, or a string of ISO 8601. A string
 * without a zone (`2026-11-28`) means the same day and time everywhere.
 */
export type TextParam = string | number | bigint | boolean | Date;

/** The parameters of a text by name. A parameter without a value leaves its placeholder as it is written. */
export type TextParams = Readonly<Record<string, TextParam | null | undefined>>;

/** What stands for an argument in the text; undefined: the placeholder as it is written. */
export type WriteArgument = (name: string, value: TextParams[string]) => string | undefined;

/** Fills `params` into a text of `language`: see `formatMessage`. */
export type FormatMessage = (
  text: string,
  params: TextParams | undefined,
  language: string,
  write?: WriteArgument,
  zone?: string,
) => string;

/** The parameters that texts need, as `LiveryKeys["params"]` names them, by key. */
export type NamedParams = LiveryKeys extends { params: infer Named extends object } ? Named : Record<never, never>;

/** A key of a text that needs parameters. */
export type TextKeyWithParams = keyof NamedParams & TextKey;

/** A key of a text that needs no parameters. */
export type PlainTextKey = Exclude<TextKey, TextKeyWithParams>;

/** The parameters of a text. It may be given more: a release can add a placeholder. */
export type ParamsOf<Key extends TextKeyWithParams> = NamedParams[Key] & TextParams;

/** An image of the project in the form that apps load. */
export interface LiveryImage {
  /** Absolute where the base URL is absolute; always http or https. */
  readonly url: string;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** A small placeholder to show while the image loads, in base64 (https://evanw.github.io/thumbhash/). */
  readonly thumbhash?: string;
}

type Dictionary<Value> = Readonly<Record<string, Value>>;

/** One language of one release, whole. `version` is absent in a bundle that was typed by hand. */
export interface LiveryContent {
  readonly projectId?: string | undefined;
  readonly version?: string | undefined;
  readonly release: number;
  readonly language: string;
  readonly languages: readonly string[];
  readonly texts: Dictionary<Dictionary<string>>;
  readonly colors: Dictionary<string>;
  readonly images: Dictionary<LiveryImage>;
  readonly stores: Dictionary<string>;
}

/** A bundled snapshot: the body of `GET /sdk/v1/{projectId}/content`, or just texts and colours. */
export interface LiveryFallback {
  readonly projectId?: string | undefined;
  readonly version?: string | undefined;
  readonly release?: number | undefined;
  readonly language?: string | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly texts?: Dictionary<Dictionary<string>> | undefined;
  readonly colors?: Dictionary<string> | undefined;
  readonly images?: Dictionary<object> | undefined;
  readonly stores?: Dictionary<string> | undefined;
}

/**
 * - `empty`: nothing to show yet; `t` answers defaults
 * - `fallback`: showing the bundle
 * - `cached`: showing content of this device or of an earlier connection; connecting, waiting or offline
 * - `live`: connected; a release shows within a second
 * - `polling`: the stream can't be had; asking about once a minute
 * - `closed`: after `close()`; reading still works
 */
export type LiveryState = "empty" | "fallback" | "cached" | "live" | "polling" | "closed";

/** What is shown after a change. */
export interface LiveryChange {
  readonly version: string | undefined;
  readonly language: string;
}

/** What `subscribe` calls after each change of what is shown. */
export type LiveryListener = (change: LiveryChange) => void;

/** Reading of one content. Every method is synchronous, never throws and never touches the network. */
export interface LiveryReader {
  /**
   * The text of `"screen.key"` (without a dot: of the screen `general`), placeholders filled in. Where it is missing:
   * the bundle's text, then `fallback`, then the key itself. `write` returns the text for an argument: see `formatMessage`.
   */
  t<Key extends TextKeyWithParams>(
    key: Key,
    params: ParamsOf<Key>,
    fallback?: string | { default?: string },
    write?: WriteArgument,
  ): string;
  t(key: PlainTextKey, params?: TextParams, fallback?: string | { default?: string }, write?: WriteArgument): string;
  t(key: PlainTextKey, fallback: string): string;
  /** `#rrggbb`; where missing or malformed the bundle's value, then `fallback`. */
  color(key: ColorKey, fallback: string): string;
  color(key: ColorKey): string | undefined;
  /** All valid colours, the bundle's included. Frozen; the same object until a colour changes. */
  colors(): Dictionary<string>;
  /** The image; where it is missing or malformed that of the bundle, then undefined. */
  image(key: ImageKey): LiveryImage | undefined;
  /** The language shown, as the server serves it; before any content the one asked for, or "". */
  readonly language: string;
  /** The languages of the project; empty before any content. */
  readonly languages: readonly string[];
  /** The writing direction of the language shown, for `dir`. */
  readonly direction: "ltr" | "rtl";
  /** `<epoch>.<release>` of what is shown. */
  readonly version: string | undefined;
}

/** A running client: it reads as `LiveryReader`, and follows the releases of the project. */
export interface LiveryClient extends LiveryReader {
  /** Where the content comes from, and whether the client is connected. */
  readonly state: LiveryState;
  /** What is shown, whole; undefined while `empty`. The same object until it changes. */
  readonly snapshot: LiveryContent | undefined;
  /** The language last asked for; differs from `language` while its content is on the way, or unknown to the project. */
  readonly requestedLanguage: string;
  /** Whether the project's draft is shown, by a preview link. */
  readonly preview: boolean;
  /** Ends the preview, also for the rest of the tab's life: the release follows. */
  endPreview(): void;
  /** Manual mode: newer content waits for `activate()`. */
  readonly pending: boolean;
  /**
   * Calls back after each change of what is shown (content or language), once all of it is in place. Returns the
   * unsubscriber. An exception in one listener is reported and does not stop the others.
   */
  subscribe(listener: LiveryListener): () => void;
  /** Calls back when `state`, `pending`, `preview` or `requestedLanguage` changes. */
  subscribeState(listener: () => void): () => void;
  /**
   * Switches at once where the language is on the device; else what is shown stays until the new content is here.
   * Resolves to true when it is shown, to false after 10 s or when another switch came first. Never rejects.
   */
  setLanguage(language: string): Promise<boolean>;
  /** Resolves at the first usable source, at the latest when the first request failed or after 5 s. Never rejects. */
  ready(): Promise<void>;
  /** Resolves to true once the server has confirmed what is shown, to false at the timeout (ms; default 2000, at most 5000). */
  waitForLatest(options?: { timeout?: number }): Promise<boolean>;
  /** The store with this API identifier; the same object each time. */
  store<Key extends StoreKey>(name: Key): LiveryStore<StoreItem<Key>>;
  /** Manual mode: shows what is pending. Returns whether anything changed. */
  activate(): boolean;
  /** A reader of another content with the same bundle and base URL (server rendering, hydration). */
  reader(content: LiveryContent | undefined): LiveryReader;
  /** Ends connections, timers and locks. What is shown can still be read. */
  close(): void;
}

/** What `createLivery` takes. */
export interface LiveryOptions {
  /** The project, `prj_…`. */
  projectId: string;
  /** A publishable key (`lvp_…`) or, for tools, a developer's API key. Never the project secret. */
  key: string;
  /** Where Livery runs, e.g. `https://livery.example.com`; `""` for the page's own origin. */
  baseUrl: string;
  /**
   * Where a CDN has copies of the project's releases (`contentUrl` of the publishable key). Whole contents are read there, not from the server, which
   * is asked when that fails. Drafts, items of stores and the stream always come from the server.
   */
  contentUrl?: string | undefined;
  /** BCP 47; absent: the project's default language. */
  language?: string | undefined;
  /** One snapshot, or one per language; where no snapshot is in the language shown, the first is used. */
  fallback?: LiveryFallback | readonly LiveryFallback[] | undefined;
  /** `live` (default): a release shows at once. `manual`: on `activate()`, or at the next start. */
  mode?: "live" | "manual";
  /** `stream` (default), `once`: one request at the start (tools), `off`: no network. */
  connection?: "stream" | "once" | "off";
  /** Keep content on the device (default true). */
  cache?: boolean;
  /**
   * The token of a preview link: the project's draft is shown, live, and not kept. Absent: the token that the page's address
   * brought (`?livery-preview=…`), kept for the tab. `false`: never.
   */
  preview?: string | false | undefined;
  /** What fills parameters into texts; default `formatMessage`. `formatIcuMessage` of `@livery/client/adapters`: apostrophes quote, as in ICU. */
  format?: FormatMessage | undefined;
  /** The zone in which texts show moments, such as `Europe/Berlin`; default: that of the device. Set it where a server renders pages. */
  timeZone?: string | undefined;
  /** Where warnings go; default `console.warn`. Each is given once. */
  onWarning?: (message: string) => void;
}
