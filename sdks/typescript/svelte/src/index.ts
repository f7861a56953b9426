/** @livery/svelte: the client's values in components. What reads a value runs again when the value has changed. */

export { getLivery, type LiveryInSvelte, type SetLiveryOptions, setLivery } from "./livery.js";
