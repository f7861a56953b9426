/** Everything that `livery.global.js` has. */

export * from "./index.js";
export * from "./page.js";
