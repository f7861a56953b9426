// Vite plugin: makes `virtual:fallback` from the demo project's content, one snapshot per language, so that the
// first paint never waits for a server.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

interface DemoContent {
  defaultLanguage: string;
  languages: string[];
  screens: { name: string; keys: { key: string; values: Record<string, string> }[] }[];
  colors: { key: string; value: string }[];
}

const CONTENT = fileURLToPath(new URL("../../../livery/demo/content.json", import.meta.url));
const ID = "virtual:fallback";
const RESOLVED = `\0${ID}`;

export function fallbackSnapshot(): Plugin {
  return {
    name: "storefront-fallback-snapshot",
    resolveId: (id) => (id === ID ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null;
      this.addWatchFile(CONTENT);
      const content = JSON.parse(await readFile(CONTENT, "utf8")) as DemoContent;
      const snapshots = Object.fromEntries(
        content.languages.map((language) => [language, snapshot(content, language)]),
      );
      return [
        `export const snapshots = ${JSON.stringify(snapshots)};`,
        `export const defaultLanguage = ${JSON.stringify(content.defaultLanguage)};`,
      ].join("\n");
    },
  };
}

/** What the server would deliver in one language: a missing text is the one of the default language. */
function snapshot(content: DemoContent, language: string) {
  return {
    language,
    languages: content.languages,
    texts: Object.fromEntries(
      content.screens.map((screen) => [
        screen.name,
        Object.fromEntries(
          screen.keys.flatMap(({ key, values }) => {
            const text = values[language] ?? values[content.defaultLanguage];
            return text === undefined ? [] : [[key, text]];
          }),
        ),
      ]),
    ),
    colors: Object.fromEntries(content.colors.map(({ key, value }) => [key, value])),
  };
}
