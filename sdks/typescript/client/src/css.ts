/** Colours as CSS variables, for live pages and for server-rendered pages. */

import { isColor } from "./content.js";
import type { LiveryClient } from "./types.js";

type Colors = Readonly<Record<string, string>>;
interface StyledElement {
  readonly style: { setProperty(name: string, value: string): void; removeProperty(name: string): unknown };
}

const PREFIX = "--livery-";

/** `{"--livery-primary": "#6750a4"}`: names as the DOM takes them (`style.setProperty`, React's `style`). */
export function colorVariables(colors: Colors): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [key, value] of Object.entries(colors)) if (isColor(value)) variables[PREFIX + key] = value;
  return variables;
}

/** The variable's name as a style sheet must spell it: `brand.main` is `--livery-brand\.main`. */
export function colorVariableName(key: string): string {
  let name = PREFIX;
  for (const character of key) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0) name += "\uFFFD";
    else if (code < 0x20 || code === 0x7f) name += `\\${code.toString(16)} `;
    else if (code >= 0x80 || /[\w-]/.test(character)) name += character;
    else name += `\\${character}`;
  }
  return name;
}

/** A rule with all colours, for a `<style>` of a server-rendered page. */
export function colorStyleSheet(colors: Colors, selector = ":root"): string {
  const valid = Object.entries(colors).filter(([, value]) => isColor(value));
  // `<` would end the style element around it, whatever CSS thinks of the escape before it.
  const spell = (key: string) => colorVariableName(key).replaceAll("\\<", "\\3c ");
  return `${selector} { ${valid.map(([key, value]) => `${spell(key)}: ${value};`).join(" ")} }`;
}

/** Keeps the colours on an element (default: the page's root) as variables. Returns what ends it, variables included. */
export function applyColors(client: LiveryClient, element?: StyledElement): () => void {
  const target = element ?? (globalThis as { document?: { documentElement: StyledElement } }).document?.documentElement;
  if (!target) return () => {};
  let applied: Record<string, string> = {};
  let seen: Colors | undefined;
  const set = (next: Record<string, string>) => {
    for (const name of Object.keys(applied)) if (!Object.hasOwn(next, name)) target.style.removeProperty(name);
    for (const name of Object.keys(next)) {
      if (applied[name] !== next[name]) target.style.setProperty(name, next[name] as string);
    }
    applied = next;
  };
  const update = () => {
    const colors = client.colors();
    if (colors !== seen) set(colorVariables(colors));
    seen = colors;
  };
  update();
  const unsubscribe = client.subscribe(update);
  return () => {
    unsubscribe();
    set({});
  };
}
