/**
 * The types of the public API: what each export accepts, returns and refuses. `npm run typecheck` compiles this file, and nothing
 * runs it. A line that must be refused has `@ts-expect-error`; the compiler reports it if the line is accepted.
 */

import { expectTypeOf } from "vitest";
import type * as global from "../src/global.js";
import type {
  AnyItem,
  ColorKey,
  FormatMessage,
  ImageKey,
  LiveryChange,
  LiveryClient,
  LiveryContent,
  LiveryFallback,
  LiveryImage,
  LiveryItems,
  LiveryKeys,
  LiveryListener,
  LiveryOptions,
  LiveryReader,
  LiveryState,
  LiveryStore,
  Platform,
  StoreItem,
  StoreKey,
  TextKey,
  TextKeys,
  TextParams,
} from "../src/index.js";
import * as livery from "../src/index.js";
import * as page from "../src/page.js";

const required = { projectId: "prj_1", key: "lvp_1", baseUrl: "" };
const client = livery.createLivery(required);

// --- exports -----------------------------------------------------------------------------------------------------------

// A new value needs its tests below.
expectTypeOf<keyof typeof livery>().toEqualTypeOf<
  "applyColors" | "colorVariables" | "createLivery" | "directionOf" | "formatMessage"
>();
expectTypeOf<keyof typeof page>().toEqualTypeOf<"bindPage" | "colorStyleSheet" | "colorVariableName">();
expectTypeOf<keyof typeof global>().toBeNever();
expectTypeOf<keyof typeof Livery>().toEqualTypeOf<keyof typeof livery | keyof typeof page>();

// --- createLivery and its options --------------------------------------------------------------------------------------

expectTypeOf(livery.createLivery).parameters.toEqualTypeOf<[options: LiveryOptions, platform?: Platform | undefined]>();
expectTypeOf(livery.createLivery).returns.toEqualTypeOf<LiveryClient>();
expectTypeOf<LiveryOptions>().toEqualTypeOf<{
  projectId: string;
  key: string;
  baseUrl: string;
  contentUrl?: string | undefined;
  language?: string | undefined;
  fallback?: LiveryFallback | readonly LiveryFallback[] | undefined;
  mode?: "live" | "manual";
  connection?: "stream" | "once" | "off";
  format?: FormatMessage | undefined;
  timeZone?: string | undefined;
  cache?: boolean;
  preview?: string | false | undefined;
  onWarning?: (message: string) => void;
}>();

livery.createLivery({ ...required, language: undefined, fallback: [{ texts: {} }], preview: false });
livery.createLivery({ ...required, mode: "manual", connection: "once", cache: false, onWarning: () => {} });
// @ts-expect-error: the address is missing
livery.createLivery({ projectId: "prj_1", key: "lvp_1" });
// @ts-expect-error: there is no such option
livery.createLivery({ ...required, langage: "de" });
// @ts-expect-error: there is no such mode
livery.createLivery({ ...required, mode: "auto" });
// @ts-expect-error: there is no such connection
livery.createLivery({ ...required, connection: "poll" });
// @ts-expect-error: a preview is a token, or off
livery.createLivery({ ...required, preview: true });
// @ts-expect-error: a warning is a text
livery.createLivery({ ...required, onWarning: (message: number) => message });
// @ts-expect-error: a platform is whole
livery.createLivery(required, { now: () => 0 });

// --- reading -----------------------------------------------------------------------------------------------------------

expectTypeOf<TextParams>().toEqualTypeOf<
  Readonly<Record<string, string | number | bigint | boolean | Date | null | undefined>>
>();
expectTypeOf(client.t("home.title")).toBeString();
client.t("home.title", { name: "Ada", count: 2n, isNew: true, none: null, missing: undefined });
client.t("home.title", { name: "Ada" }, "Hello");
client.t("home.title", undefined, { default: "Hello" });
expectTypeOf(client.t("home.title", "Hello")).toBeString();
// @ts-expect-error: a key is a text
client.t(1);
client.t("home.title", { at: new Date() });
// @ts-expect-error: a parameter has no parts
client.t("home.title", { name: { first: "Ada" } });
// @ts-expect-error: the fallback comes last
client.t("home.title", "Hello", { name: "Ada" });

expectTypeOf(client.color("primary")).toEqualTypeOf<string | undefined>();
expectTypeOf(client.color("primary", "#000000")).toBeString();
// @ts-expect-error: a fallback is a text
client.color("primary", 0);
expectTypeOf(client.colors()).toEqualTypeOf<Readonly<Record<string, string>>>();
// @ts-expect-error: the colours are frozen
client.colors()["primary"] = "#000000";

expectTypeOf(client.image("logo")).toEqualTypeOf<LiveryImage | undefined>();
expectTypeOf<LiveryImage>().toEqualTypeOf<{
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly thumbhash?: string;
}>();
// @ts-expect-error: an image may be missing
client.image("logo").url;
// @ts-expect-error: an image has no fallback
client.image("logo", "/logo.png");

expectTypeOf<LiveryClient>().toExtend<LiveryReader>();
expectTypeOf<Pick<LiveryReader, "language" | "languages" | "direction" | "version">>().toEqualTypeOf<{
  readonly language: string;
  readonly languages: readonly string[];
  readonly direction: "ltr" | "rtl";
  readonly version: string | undefined;
}>();
// @ts-expect-error: setLanguage changes the language
client.language = "de";

// --- keys --------------------------------------------------------------------------------------------------------------
// keys.test.ts has the keys that an app has named.

expectTypeOf<keyof LiveryKeys>().toBeNever();
expectTypeOf<[TextKey, ColorKey, ImageKey, StoreKey]>().toEqualTypeOf<[string, string, string, string]>();
expectTypeOf<TextKeys<{ texts: { home: { title: string; lead: string }; cart: { pay: string } } }>>().toEqualTypeOf<
  "home.title" | "home.lead" | "cart.pay"
>();
// @ts-expect-error: it is no bundle
expectTypeOf<TextKeys<{ colors: object }>>();

// --- stores ------------------------------------------------------------------------------------------------------------

const store = client.store("products");
expectTypeOf(store).toEqualTypeOf<LiveryStore<StoreItem<"products">>>();
expectTypeOf<LiveryStore<AnyItem>>().toEqualTypeOf<{
  readonly name: string;
  readonly current: readonly AnyItem[] | undefined;
  items(): LiveryItems<AnyItem>;
  subscribe(listener: () => void): () => void;
}>();
expectTypeOf<LiveryItems<AnyItem>>().toExtend<Promise<readonly AnyItem[]> & AsyncIterable<AnyItem>>();
expectTypeOf<StoreItem<"products">["_id"]>().toBeString();
expectTypeOf<AnyItem["title"]>().toBeUnknown();
for await (const item of store.items()) {
  expectTypeOf(item._id).toBeString();
  // @ts-expect-error: the type of a field is not known
  item["title"].trim();
}
// @ts-expect-error: the items may not be here yet
store.current.length;
// @ts-expect-error: the list is read only
(await store.items()).push({ _id: "1" });
// @ts-expect-error: a store has a name
client.store();

// --- what is shown, and its changes ------------------------------------------------------------------------------------

expectTypeOf<LiveryClient["snapshot"]>().toEqualTypeOf<LiveryContent | undefined>();
expectTypeOf<LiveryContent>().toEqualTypeOf<{
  readonly projectId?: string | undefined;
  readonly version?: string | undefined;
  readonly release: number;
  readonly language: string;
  readonly languages: readonly string[];
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly colors: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, LiveryImage>>;
  readonly stores: Readonly<Record<string, string>>;
}>();
// What a client shows can be bundled.
expectTypeOf<LiveryContent>().toExtend<LiveryFallback>();
expectTypeOf<{ texts: { home: { title: string } }; images: { logo: { url: string } } }>().toExtend<LiveryFallback>();
expectTypeOf<{ texts: { home: string } }>().not.toExtend<LiveryFallback>();
expectTypeOf<{ colors: { primary: number } }>().not.toExtend<LiveryFallback>();

expectTypeOf<LiveryChange>().toEqualTypeOf<{ readonly version: string | undefined; readonly language: string }>();
expectTypeOf<LiveryListener>().toEqualTypeOf<(change: LiveryChange) => void>();
expectTypeOf<LiveryState>().toEqualTypeOf<"empty" | "fallback" | "cached" | "live" | "polling" | "closed">();
expectTypeOf<Omit<LiveryClient, keyof LiveryReader | "store">>().toEqualTypeOf<{
  readonly state: LiveryState;
  readonly snapshot: LiveryContent | undefined;
  readonly requestedLanguage: string;
  readonly preview: boolean;
  endPreview(): void;
  readonly pending: boolean;
  subscribe(listener: LiveryListener): () => void;
  subscribeState(listener: () => void): () => void;
  setLanguage(language: string): Promise<boolean>;
  ready(): Promise<void>;
  waitForLatest(options?: { timeout?: number }): Promise<boolean>;
  activate(): boolean;
  reader(content: LiveryContent | undefined): LiveryReader;
  close(): void;
}>();
// @ts-expect-error: a listener gets a change, not a content
client.subscribe((change: LiveryContent) => change);
// @ts-expect-error: a language is a text
client.setLanguage(undefined);
// @ts-expect-error: the timeout has a name
client.waitForLatest(500);
// @ts-expect-error: a reader needs a whole content
client.reader({ texts: {} });

// --- colours and direction of a page -----------------------------------------------------------------------------------

const colors = client.colors();
expectTypeOf(livery.applyColors(client)).toEqualTypeOf<() => void>();
livery.applyColors(client, document.body);
// @ts-expect-error: an element is no selector
livery.applyColors(client, "body");
// @ts-expect-error: colours alone do not change
livery.applyColors(colors);
expectTypeOf(page.bindPage(client, document)).toEqualTypeOf<() => void>();
// @ts-expect-error: a reader does not change
page.bindPage(client.reader(undefined));
expectTypeOf(livery.colorVariables(colors)).toEqualTypeOf<Record<string, string>>();
expectTypeOf(page.colorStyleSheet(colors, ".dark")).toBeString();
// @ts-expect-error: colours are texts
page.colorStyleSheet({ primary: 0xff0000 });
// @ts-expect-error: colours are texts
livery.colorVariables({ primary: undefined });
expectTypeOf(page.colorVariableName("brand.main")).toBeString();
// @ts-expect-error: the name of a colour is a text
page.colorVariableName(undefined);
expectTypeOf(livery.directionOf("ar")).toEqualTypeOf<"ltr" | "rtl">();
// @ts-expect-error: a language is a text
livery.directionOf(undefined);

// --- messages ----------------------------------------------------------------------------------------------------------

expectTypeOf(livery.formatMessage("{n}", { n: 1 }, "en")).toBeString();
livery.formatMessage("{n}", undefined, "en", (name, value) => (value === null ? undefined : name));
// @ts-expect-error: an argument becomes text
livery.formatMessage("{n}", {}, "en", () => 1);
