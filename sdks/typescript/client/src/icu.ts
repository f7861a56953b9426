/** Messages of Livery as libraries for ICU messages read them, such as react-intl. */

import { HASH, type Part, readMessage } from "./message-parser.js";
import { hasKnownStyle, isTyped } from "./styles.js";

/** In ICU an apostrophe quotes, and a brace is never plain text. Braces with apostrophes between them are quoted together. */
const quoted = (text: string) => text.replaceAll("'", "''").replace(/[{}](?:[{}']*[{}])?/g, "'$&'");

/** The plural around a part: what its `#` is, directly in its branches and in a select inside of them. There ICU reads `#` as text. */
interface Around {
  readonly hash: string;
  readonly inSelect: string;
}

function written(parts: readonly Part[], around: Around): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return quoted(part);
      if (part === HASH) return around.hash;
      const { kind, name } = part;
      if (kind === "argument") {
        if (!isTyped(part)) return `{${name}}`;
        const { type, style } = part;
        const usual = type === "number" ? undefined : "medium"; // react-intl has a different date without a style
        return `{${[name, type, (hasKnownStyle(part) && style) || usual].filter(Boolean).join(", ")}}`;
      }
      const offset = kind !== "select" && part.offset > 0 ? ` offset:${part.offset}` : "";
      const plural = { hash: "#", inSelect: offset ? "#" : `{${name}, number}` };
      const inside = kind === "select" ? { ...around, hash: around.inSelect } : plural;
      const branches = [...part.branches].map(([selector, branch]) => ` ${selector} {${written(branch, inside)}}`);
      return `{${name}, ${kind},${offset}${branches.join("")}}`;
    })
    .join("");
}

/**
 * Returns a message of Livery in the syntax of ICU, with the same meaning. Apostrophes and braces that are text are quoted, `{{name}}` becomes `{name}`, and tags
 * stay as they are.
 */
export function toIcuMessage(text: string): string {
  return /['{}]/.test(text) ? written(readMessage(text), { hash: "#", inSelect: "#" }) : text;
}
