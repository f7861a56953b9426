"use client";

/** The hooks. Each re-renders its component only when the value it gives has changed. */

import type {
  ColorKey,
  ImageKey,
  LiveryClient,
  LiveryContent,
  LiveryImage,
  LiveryReader,
  LiveryState,
  ParamsOf,
  PlainTextKey,
  StoreItem,
  StoreKey,
  TextKeyWithParams,
  TextParams,
} from "@livery/client";
import { useMemo, useSyncExternalStore } from "react";
import { useProvided } from "./provider.js";
import { ReadTexts } from "./read-texts.js";

/** `select` must give the same value (by identity) while nothing it reads has changed. */
export function useRead<Value>(select: (reader: LiveryReader) => Value): Value {
  const { client, rendered } = useProvided();
  return useSyncExternalStore(
    client.subscribe,
    () => select(client),
    () => select(rendered?.reader ?? client),
  );
}

/** The client itself. Reading from it in a component does not subscribe to it: that is what the other hooks do. */
export function useLivery(): LiveryClient {
  return useProvided().client;
}

/** The texts themselves: another object when one of them has changed. */
export function useTexts(): LiveryContent["texts"] | undefined {
  const { client, rendered } = useProvided();
  return useSyncExternalStore(
    client.subscribe,
    () => client.snapshot?.texts,
    () => (rendered ? rendered.content : client.snapshot)?.texts,
  );
}

/** What `useT` shows while a page is hydrated. */
const HYDRATING = {};

/**
 * Returns `t`. When a text that the component read with it has changed, or the language, the component renders again and the function is
 * new. Any other change leaves both alone.
 */
export function useT(): LiveryReader["t"] {
  const { client, rendered } = useProvided();
  const texts = useMemo(() => new ReadTexts(client), [client]);
  const mark = useSyncExternalStore(client.subscribe, texts.mark, () => (rendered ? HYDRATING : texts.mark()));
  return useMemo(() => {
    const reader = mark === HYDRATING && rendered ? rendered.reader : client;
    return ((...args: Parameters<LiveryReader["t"]>) => {
      texts.note(args[0], reader);
      return reader.t(...args);
    }) as LiveryReader["t"];
  }, [client, rendered, texts, mark]);
}

/** One text; the component renders again only when this text changed. */
export function useText<Key extends TextKeyWithParams>(key: Key, params: ParamsOf<Key>, fallback?: string): string;
export function useText(key: PlainTextKey, params?: TextParams, fallback?: string): string;
export function useText(key: string, params?: TextParams, fallback?: string): string {
  return useRead((reader) => reader.t(key as PlainTextKey, params, fallback === undefined ? {} : fallback));
}

/** One colour, `#rrggbb`; where it is missing that of the bundle, then `fallback`. */
export function useColor(key: ColorKey, fallback: string): string;
export function useColor(key: ColorKey): string | undefined;
export function useColor(key: ColorKey, fallback?: string): string | undefined {
  return useRead((reader) => (fallback === undefined ? reader.color(key) : reader.color(key, fallback)));
}

/** All colours; the same object until one changes. */
export function useColors(): Readonly<Record<string, string>> {
  return useRead((reader) => reader.colors());
}

/** One image; undefined where it is missing. The component renders again only when this image changed. */
export function useImage(key: ImageKey): LiveryImage | undefined {
  return useRead((reader) => reader.image(key));
}

/** The items of a store in the language shown, kept up to date; undefined until they are here. Renders again only when they changed. */
export function useStore<Key extends StoreKey>(name: Key): readonly StoreItem<Key>[] | undefined {
  const { client, rendered } = useProvided();
  const store = client.store(name);
  return useSyncExternalStore(
    store.subscribe,
    () => store.current,
    () => (rendered ? undefined : store.current),
  );
}

/** What `useLanguage` returns. */
export interface LanguageControl {
  /** The language shown. */
  readonly language: string;
  /** The language last asked for: what a language menu should show as chosen. */
  readonly requestedLanguage: string;
  readonly languages: readonly string[];
  readonly direction: "ltr" | "rtl";
  readonly setLanguage: LiveryClient["setLanguage"];
}

/** The language shown, and what a language menu needs. */
export function useLanguage(): LanguageControl {
  const { client } = useProvided();
  const language = useRead((reader) => reader.language);
  const languages = useRead((reader) => reader.languages);
  const direction = useRead((reader) => reader.direction);
  const requestedLanguage = useSyncExternalStore(
    client.subscribeState,
    () => client.requestedLanguage,
    () => client.requestedLanguage,
  );
  return useMemo(
    () => ({ language, requestedLanguage, languages, direction, setLanguage: client.setLanguage }),
    [language, requestedLanguage, languages, direction, client],
  );
}

/** `live`, `polling`, `cached` …; on the server and while hydrating with `serverContent`: `cached`. */
export function useLiveryState(): LiveryState {
  const { client, rendered } = useProvided();
  return useSyncExternalStore(
    client.subscribeState,
    () => client.state,
    () => (rendered ? "cached" : client.state),
  );
}
