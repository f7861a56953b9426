/** Messages in which apostrophes quote, as in ICU: sdks/spec/messages.md. */

import { formatMessage } from "./message.js";
import type { FormatMessage } from "./types.js";

/** What stands for a quoted character while the message is read. Unicode promises that no text has these characters. */
const HIDDEN = new Map([
  ["{", "\uFDD2"],
  ["}", "\uFDD3"],
  ["#", "\uFDD4"],
]);
const SHOWN = new Map([...HIDDEN].map(([shown, hidden]) => [hidden, shown]));
const PLURAL = /\{\s*[\p{L}\p{N}_][\p{L}\p{N}_.-]*\s*,\s*(?:plural|selectordinal)\s*,/uy;

function hide(text: string): string {
  let hidden = "";
  let isQuoted = false;
  /** Whether `#` is a number inside of each open brace. */
  const hashes: boolean[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    const next = text[at + 1] ?? "";
    if (character === "'" && next === "'") {
      hidden += "'";
      at++;
    } else if (character === "'" && isQuoted) isQuoted = false;
    else if (character === "'" && (next === "{" || next === "}" || (next === "#" && hashes.at(-1)))) isQuoted = true;
    else if (isQuoted) hidden += HIDDEN.get(character) ?? character;
    else {
      PLURAL.lastIndex = at;
      if (character === "{") hashes.push(PLURAL.test(text) || hashes.at(-1) === true);
      if (character === "}") hashes.pop();
      hidden += character;
    }
  }
  return hidden;
}

/**
 * Formats a message as `formatMessage` does, but apostrophes quote. `''` is an apostrophe. An apostrophe before a brace, or before `#` in a
 * plural, begins a quotation that ends at the next apostrophe. It is an option of the client: `createLivery({ …, format: formatIcuMessage })`.
 */
export const formatIcuMessage: FormatMessage = (text, params, language, write, zone) =>
  text.includes("'")
    ? formatMessage(hide(text), params, language, write, zone).replace(
        /[\uFDD2-\uFDD4]/g,
        (one) => SHOWN.get(one) as string,
      )
    : formatMessage(text, params, language, write, zone);
