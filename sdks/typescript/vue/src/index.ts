/** @livery/vue: the client's values in components, by refs. */

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
} from "./composables.js";
export { type LiveryPluginOptions, liveryPlugin } from "./plugin.js";
