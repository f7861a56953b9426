/** @livery/client/adapters: what adapters of other libraries need. */

export { toIcuMessage } from "./icu.js";
export { mapName, type TextName } from "./names.js";
