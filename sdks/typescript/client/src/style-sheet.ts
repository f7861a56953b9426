/** Colours as CSS variables in a style sheet, for pages that a server renders. */

import { isColor } from "./content.js";
import { type Colors, PREFIX } from "./css.js";

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
