/** Colours as CSS variables of a live page. */

import { isColor } from "./content.js";
import type { LiveryClient } from "./types.js";

export type Colors = Readonly<Record<string, string>>;
interface StyledElement {
  readonly style: { setProperty(name: string, value: string): void; removeProperty(name: string): unknown };
}

export const PREFIX = "--livery-";

/** `{"--livery-primary": "#6750a4"}`: names as the DOM takes them (`style.setProperty`, React's `style`). */
export function colorVariables(colors: Colors): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [key, value] of Object.entries(colors)) if (isColor(value)) variables[PREFIX + key] = value;
  return variables;
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
