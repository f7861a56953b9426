"use client";

/** @livery/react: the client's values in components, by `useSyncExternalStore`. */

export {
  type LanguageControl,
  useColor,
  useColors,
  useImage,
  useLanguage,
  useLivery,
  useLiveryState,
  useStore,
  useT,
  useText,
} from "./hooks.js";
export { LiveryProvider, type LiveryProviderProps } from "./provider.js";
export { T, type TagComponent, type TProps } from "./rich-text.js";
