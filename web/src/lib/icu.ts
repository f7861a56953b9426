/**
 * Whether the ICU plurals and selects of a text can be read by apps: https://unicode-org.github.io/icu/userguide/format_parse/messages/
 * Texts without any are never wrong here, whatever braces they have.
 */

const OPENING = /\{\s*([\w.$[\]-]+)\s*,\s*(plural|select|selectordinal)\s*,/y;
const OFFSET = /\s*offset\s*:\s*\d+/y;
const SELECTOR = /\s*(=\d+|[^\s{}=,]+)\s*/y;
const CATEGORIES: ReadonlySet<string> = new Set(["zero", "one", "two", "few", "many", "other"]);
const list = new Intl.ListFormat("en", { type: "conjunction" });

class Broken extends Error {}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Reads what stands in a message from `at` on, up to the brace that ends it or the end of the text. Gives where it ended. */
function readMessage(
  text: string,
  at: number,
  isBranch: boolean,
  forms: readonly string[],
  missing: Set<string>,
): number {
  let depth = 0;
  while (at < text.length) {
    const opening = text[at] === "{" ? match(OPENING, text, at) : null;
    if (opening !== null) {
      at = readBranches(text, at + opening[0].length, opening[1] ?? "", opening[2] ?? "", forms, missing);
      continue;
    }
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") {
      if (depth === 0 && isBranch) return at;
      depth -= 1;
    }
    at += 1;
  }
  if (isBranch) throw new Broken("A “{” is never closed.");
  return at;
}

function readBranches(
  text: string,
  start: number,
  name: string,
  kind: string,
  forms: readonly string[],
  missing: Set<string>,
): number {
  let at = start + (kind === "select" ? 0 : (match(OFFSET, text, start)?.[0].length ?? 0));
  const selectors = new Set<string>();
  for (;;) {
    const space = match(/\s*/y, text, at);
    at += space?.[0].length ?? 0;
    if (at >= text.length) throw new Broken("A “{” is never closed.");
    if (text[at] === "}") break;
    const selector = match(SELECTOR, text, at);
    const word = selector?.[1];
    if (selector === null || word === undefined || text[at + selector[0].length] !== "{") {
      throw new Broken(`The ${kind} of ${name} has a branch without braces.`);
    }
    if (kind !== "select" && !word.startsWith("=") && !CATEGORIES.has(word)) {
      throw new Broken(`“${word}” is no plural form.`);
    }
    if (selectors.has(word)) throw new Broken(`The ${kind} of ${name} has “${word}” twice.`);
    selectors.add(word);
    at = readMessage(text, at + selector[0].length + 1, true, forms, missing) + 1;
  }
  if (!selectors.has("other")) throw new Broken(`The ${kind} of ${name} lacks “other”.`);
  if (kind === "plural") {
    for (const form of forms) if (!selectors.has(form)) missing.add(form);
  }
  return at + 1;
}

/** What is wrong with the plurals and selects of a text, in a sentence; null when nothing is. `forms` are those of its language. */
export function icuWarning(text: string, forms: readonly string[], language: string): string | null {
  if (!/\{\s*[\w.$[\]-]+\s*,\s*(?:plural|select|selectordinal)\s*,/.test(text)) return null;
  const missing = new Set<string>();
  try {
    readMessage(text, 0, false, forms, missing);
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
  if (missing.size === 0) return null;
  return `${language} plurals also need ${list.format([...missing].map((form) => `“${form}”`))}.`;
}
