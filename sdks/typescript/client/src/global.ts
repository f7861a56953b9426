/** The types of the script for plain pages, which makes `Livery` a global variable. */

import type * as livery from "./script.js";

declare global {
  /** What the package and its entry `page` export. It is there once `livery.global.js` has run. */
  var Livery: typeof livery;
}
