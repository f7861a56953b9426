/** The languages that keys can be written in, besides TypeScript. */
export const LANGUAGE_NAMES = ["python", "kotlin", "swift", "dart"] as const;

export type LanguageName = (typeof LANGUAGE_NAMES)[number];
