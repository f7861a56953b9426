/** The composables. A component renders again only when a value that it read has changed. */

import type * as livery from "@livery/client";
import { type MaybeRefOrGetter, onMounted, onScopeDispose, type Ref, shallowRef, toValue } from "vue";
import { useProvided, useShown } from "./plugin.js";

type Value<Type> = Readonly<Ref<Type>>;
type Values<Type> = { readonly [Name in keyof Type]: Value<Type[Name]> };
type T = livery.LiveryReader["t"];
type Params = MaybeRefOrGetter<livery.TextParams | undefined>;

/** The client itself. Reading from it in a component does not follow it: that is what the other composables do. */
export const useLivery = (): livery.LiveryClient => useProvided().client;

/** Returns `t`, as the client's. What calls it (a template, a computed value) follows the texts and the language. */
export function useT(): T {
  const provided = useProvided();
  const texts = useShown(({ client, reader }) => (reader === client ? client.snapshot?.texts : reader));
  return ((...args: Parameters<T>) => {
    void texts.value; // this is what the caller follows
    return provided.reader.t(...args);
  }) as T;
}

/** One text; what reads it renders again only when this text has changed. */
export function useText<Key extends livery.TextKeyWithParams>(
  key: Key,
  params: MaybeRefOrGetter<livery.ParamsOf<Key>>,
  fallback?: string,
): Value<string>;
export function useText(key: livery.PlainTextKey, params?: Params, fallback?: string): Value<string>;
export function useText(key: string, params?: Params, fallback?: string): Value<string> {
  return useShown(({ reader }) => reader.t(key as livery.PlainTextKey, toValue(params), fallback ?? {}));
}

/** One colour, `#rrggbb`; where it is missing that of the bundle, then `fallback`. */
export function useColor(key: livery.ColorKey, fallback: string): Value<string>;
export function useColor(key: livery.ColorKey): Value<string | undefined>;
export function useColor(key: livery.ColorKey, fallback?: string): Value<string | undefined> {
  return useShown(({ reader }) => reader.color(key, fallback as string));
}

/** All colours; the same object until one of them changes. */
export const useColors = (): Value<Readonly<Record<string, string>>> => useShown(({ reader }) => reader.colors());

/** One image; undefined where it is missing. */
export const useImage = (key: livery.ImageKey): Value<livery.LiveryImage | undefined> =>
  useShown(({ reader }) => reader.image(key));

/** The items of a store in the language shown, kept up to date; undefined until they are here, and on a server. */
export function useStore<Key extends livery.StoreKey>(name: Key): Value<readonly livery.StoreItem<Key>[] | undefined> {
  const store = useProvided().client.store(name);
  const items = shallowRef<readonly livery.StoreItem<Key>[]>();
  let stop = () => {};
  onMounted(() => {
    const update = () => {
      items.value = store.current;
    };
    stop = store.subscribe(update);
    update();
  });
  onScopeDispose(() => stop());
  return items;
}

type Languages = Pick<livery.LiveryClient, "language" | "requestedLanguage" | "languages" | "direction">;
/** What `useLanguage` returns. A language menu should show `requestedLanguage` as chosen. */
export type LanguageControl = Values<Languages> & Pick<livery.LiveryClient, "setLanguage">;

/** The language shown, and what a language menu needs. */
export function useLanguage(): LanguageControl {
  return {
    language: useShown(({ reader }) => reader.language),
    requestedLanguage: useShown(({ client }) => client.requestedLanguage),
    languages: useShown(({ reader }) => reader.languages),
    direction: useShown(({ reader }) => reader.direction),
    setLanguage: useProvided().client.setLanguage,
  };
}

/** `live`, `polling`, `cached` …; on the server and while hydrating with `serverContent`: `cached`. */
export const useLiveryState = (): Value<livery.LiveryState> =>
  useShown(({ client, reader }) => (reader === client ? client.state : "cached"));
