/** @livery/i18next: Livery behind an existing i18next app. */

export { type LiveryI18next, type LiveryI18nextOptions, livery } from "./plugin.js";
