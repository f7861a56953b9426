/** @livery/vue: the client's values in components, by refs. */

export * from "./composables.js";
export { type LiveryPluginOptions, liveryPlugin } from "./plugin.js";
