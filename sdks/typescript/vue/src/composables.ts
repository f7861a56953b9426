/** The composables. A component renders again only when a value that it read has changed. */

import type {
  ColorKey,
  ImageKey,
  LiveryClient,
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
import { computed, type MaybeRefOrGetter, onMounted, onScopeDispose, type Ref, shallowRef, toValue } from "vue";
import { useProvided } from "./plugin.js";

/** The client itself. Reading from it in a component does not follow it: that is what the other composables do. */
export function useLivery(): LiveryClient {
  return useProvided().client;
}

/** Returns `t`, as the client's. What calls it (a template, a computed value) follows the texts and the language. */
export function useT(): LiveryReader["t"] {
  const { shown } = useProvided();
  return ((...args: Parameters<LiveryReader["t"]>) => {
    void shown.texts; // this is what the caller follows
    return shown.reader.t(...args);
  }) as LiveryReader["t"];
}

/** One text; what reads it renders again only when this text has changed. */
export function useText<Key extends TextKeyWithParams>(
  key: Key,
  params: MaybeRefOrGetter<ParamsOf<Key>>,
  fallback?: string,
): Readonly<Ref<string>>;
export function useText(
  key: PlainTextKey,
  params?: MaybeRefOrGetter<TextParams | undefined>,
  fallback?: string,
): Readonly<Ref<string>>;
export function useText(key: string, params?: MaybeRefOrGetter<TextParams | undefined>, fallback?: string) {
  const t = useT();
  return computed(() => t(key as PlainTextKey, toValue(params), fallback === undefined ? {} : fallback));
}

export function useColor(key: ColorKey, fallback: string): Readonly<Ref<string>>;
export function useColor(key: ColorKey): Readonly<Ref<string | undefined>>;
export function useColor(key: ColorKey, fallback?: string): Readonly<Ref<string | undefined>> {
  const { shown } = useProvided();
  return computed(() => {
    void shown.colors;
    return fallback === undefined ? shown.reader.color(key) : shown.reader.color(key, fallback);
  });
}

/** All colours; the same object until one of them changes. */
export function useColors(): Readonly<Ref<Readonly<Record<string, string>>>> {
  const { shown } = useProvided();
  return computed(() => shown.colors);
}

export function useImage(key: ImageKey): Readonly<Ref<LiveryImage | undefined>> {
  const { shown } = useProvided();
  return computed(() => {
    void shown.images;
    return shown.reader.image(key);
  });
}

/** The items of a store in the language shown, kept up to date; undefined until they are here, and on a server. */
export function useStore<Key extends StoreKey>(name: Key): Readonly<Ref<readonly StoreItem<Key>[] | undefined>> {
  const store = useProvided().client.store(name);
  const items = shallowRef<readonly StoreItem<Key>[]>();
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

export interface LanguageControl {
  /** The language shown. */
  readonly language: Readonly<Ref<string>>;
  /** The language last asked for: what a language menu should show as chosen. */
  readonly requestedLanguage: Readonly<Ref<string>>;
  readonly languages: Readonly<Ref<readonly string[]>>;
  readonly direction: Readonly<Ref<"ltr" | "rtl">>;
  readonly setLanguage: LiveryClient["setLanguage"];
}

export function useLanguage(): LanguageControl {
  const { client, shown } = useProvided();
  return {
    language: computed(() => shown.language),
    requestedLanguage: computed(() => shown.requestedLanguage),
    languages: computed(() => shown.languages),
    direction: computed(() => shown.direction),
    setLanguage: client.setLanguage,
  };
}

/** `live`, `polling`, `cached` …; on the server and while hydrating with `serverContent`: `cached`. */
export function useLiveryState(): Readonly<Ref<LiveryState>> {
  const { shown } = useProvided();
  return computed(() => shown.state);
}
