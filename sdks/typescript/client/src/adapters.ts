/** @livery/client/adapters: what adapters of other libraries need. */

export { formatIcuMessage } from "./apostrophes.js";
export { toIcuMessage } from "./icu.js";
export { mapName, type TextName } from "./names.js";
