/**
 * The types of the hooks and of the provider: what each accepts, returns and refuses. `npm run typecheck` compiles this file, and
 * nothing runs it. typed-keys/ has the keys that an app has named.
 */

import type { LiveryClient, LiveryContent, LiveryImage, LiveryReader, LiveryState, StoreItem } from "@livery/client";
import type { ReactNode } from "react";
import { expectTypeOf } from "vitest";
import * as livery from "../src/index.js";

declare const client: LiveryClient;

// A new value needs its tests below.
expectTypeOf<keyof typeof livery>().toEqualTypeOf<
  | "LiveryProvider"
  | "T"
  | "useColor"
  | "useColors"
  | "useImage"
  | "useLanguage"
  | "useLivery"
  | "useLiveryState"
  | "useStore"
  | "useT"
  | "useText"
>();

expectTypeOf<livery.LiveryProviderProps>().toEqualTypeOf<{
  client: LiveryClient;
  serverContent?: LiveryContent | undefined;
  suspense?: boolean | undefined;
  children?: ReactNode;
}>();

export const accepted = [
  <livery.LiveryProvider key="1" client={client} />,
  <livery.LiveryProvider key="2" client={client} serverContent={client.snapshot}>
    {"text"} {1} {null}
  </livery.LiveryProvider>,
];

export const refused = [
  // @ts-expect-error: the client is missing
  <livery.LiveryProvider key="1" />,
  // @ts-expect-error: options are no client
  <livery.LiveryProvider key="2" client={{ projectId: "prj_1", key: "lvp_1", baseUrl: "" }} />,
  // @ts-expect-error: there is no such property
  <livery.LiveryProvider key="3" client={client} language="de" />,
  // @ts-expect-error: a bundle is not what the server has shown
  <livery.LiveryProvider key="4" client={client} serverContent={{ texts: {} }} />,
];

export function Component() {
  expectTypeOf(livery.useLivery()).toEqualTypeOf<LiveryClient>();
  expectTypeOf(livery.useLiveryState()).toEqualTypeOf<LiveryState>();

  const t = livery.useT();
  expectTypeOf(t).toEqualTypeOf<LiveryReader["t"]>();
  expectTypeOf(t("home.title", { name: "Ada" })).toBeString();
  t("home.title", { at: new Date() });

  expectTypeOf(livery.useText("home.title", { count: 2 }, "Hello")).toBeString();
  // @ts-expect-error: parameters come before the fallback
  livery.useText("home.title", "Hello");
  // @ts-expect-error: a parameter has no parts
  livery.useText("home.title", { name: { first: "Ada" } });

  expectTypeOf(livery.useColor("primary")).toEqualTypeOf<string | undefined>();
  expectTypeOf(livery.useColor("primary", "#000000")).toBeString();
  // @ts-expect-error: a fallback is a text
  livery.useColor("primary", 0);
  expectTypeOf(livery.useColors()).toEqualTypeOf<Readonly<Record<string, string>>>();

  expectTypeOf(livery.useImage("logo")).toEqualTypeOf<LiveryImage | undefined>();
  // @ts-expect-error: an image may be missing
  livery.useImage("logo").url;

  const items = livery.useStore("products");
  expectTypeOf(items).toEqualTypeOf<readonly StoreItem<"products">[] | undefined>();
  // @ts-expect-error: the items may not be here yet
  items.length;
  // @ts-expect-error: the type of a field is not known
  items?.[0]?.title.trim();

  expectTypeOf(livery.useLanguage()).toEqualTypeOf<livery.LanguageControl>();
  expectTypeOf<livery.LanguageControl>().toEqualTypeOf<{
    readonly language: string;
    readonly requestedLanguage: string;
    readonly languages: readonly string[];
    readonly direction: "ltr" | "rtl";
    readonly setLanguage: (language: string) => Promise<boolean>;
  }>();
  return null;
}

export const richTexts = [
  <livery.T key="1" id="home.title" />,
  <livery.T key="2" id="home.title" params={{ name: <b>Ada</b>, count: 3, none: null }} fallback="Hello" />,
  <livery.T
    key="3"
    id="home.title"
    components={{ link: <a href="/x">details</a>, b: (content) => <mark>{content}</mark> }}
  />,
];

// @ts-expect-error: a text has a key
export const withoutKey = <livery.T />;
// @ts-expect-error: a list is no parameter
export const withList = <livery.T id="home.title" params={{ name: [1] }} />;
