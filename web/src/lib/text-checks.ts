/** What may be wrong with a text, each in a sentence: shown beside it while it is written. */

import type { Language } from "./api-types";
import { placeholderWarning, pluralWarning } from "./message-checks";
import { isWebAddress, segmentsOf } from "./messages";

/** What is known of a language: `plurals` is empty when it is not known which plural forms it has. */
export interface CheckedLanguage {
  name: string;
  plurals: Language["plurals"];
}

const VOID = new Set(["br", "hr", "img", "input", "wbr"]);

/** Whether every tag of the text is closed after it was opened, in order. */
function isNested(text: string): boolean {
  const open: string[] = [];
  for (const { kind, text: tag } of segmentsOf(text)) {
    const [, slash, name] = kind === "tag" ? (/^<(\/?)([\w-]+)/.exec(tag) ?? []) : [];
    if (name === undefined || tag.endsWith("/>") || VOID.has(name.toLowerCase())) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

const hasTwoWords = (text: string) => (text.match(/\p{L}{2,}/gu)?.length ?? 0) > 1;

/** Whether a translation of several words is the text that it translates. */
export function isCopy(source: string, target: string): boolean {
  const words = segmentsOf(target).flatMap(({ kind, text }) => (kind === "text" ? [text] : []));
  return source === target && !isWebAddress(target) && words.some(hasTwoWords);
}

function edges(text: string): string[] {
  return [
    ...(/^\s/u.test(text) ? ["Starts with a space."] : []),
    ...(/\s$/u.test(text) && text.trim() !== "" ? ["Ends with a space."] : []),
  ];
}

/** What is wrong with a text of the default language; null when nothing is. */
export function sourceWarning(text: string, language: CheckedLanguage): string | null {
  return joined([pluralWarning(text, language.plurals, language.name), ...edges(text)]);
}

/** What is wrong with a translation; null when nothing is, or when it is missing. */
export function translationWarning(
  source: string,
  target: string,
  sourceLanguage: CheckedLanguage,
  language: CheckedLanguage,
  /** A person confirmed the text. */
  isConfirmed = false,
): string | null {
  if (target === "") return null;
  const placeholders = placeholderWarning(source, target, sourceLanguage.name);
  const isMisnested = isNested(source) && !isNested(target);
  return joined([
    placeholders,
    pluralWarning(target, language.plurals, language.name),
    // The check of placeholders reports missing and surplus tags already.
    isMisnested && placeholders === null ? "A tag is closed before it is opened." : null,
    ...(source === "" ? edges(target) : otherEdges(source, target, sourceLanguage.name)),
    !isConfirmed && isCopy(source, target) ? `Same as the ${sourceLanguage.name} text.` : null,
  ]);
}

/** A space at an end that only one of the two texts has: apps put such texts together. */
function otherEdges(source: string, target: string, sourceName: string): string[] {
  const [wanted, given] = [edges(source), edges(target)];
  const lost = wanted.filter((sentence) => !given.includes(sentence));
  return [
    ...given.filter((sentence) => !wanted.includes(sentence)),
    ...lost.map((sentence) => `The ${sourceName} text ${lowerFirst(sentence)}`),
  ];
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

function joined(sentences: (string | null)[]): string | null {
  const said = sentences.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : said.join(" ");
}
