/** Formatted text. */
import { type FieldType, inOrderOf, sentAsTyped, typedText } from "./field-type";

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The words of formatted text. What is not a tag stays text: this is for reading, never for markup. */
const wordsOf = (html: unknown): string =>
  String(html)
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .replace(/ ([.,;:!?])/g, "$1")
    .trim();

export const richText: FieldType = {
  name: "RichText",
  meaning: "Formatted text",
  input: "editor",
  isText: true,
  hasMarkup: true,
  isKey: false,
  isPicture: false,
  words: wordsOf,
  typed: typedText,
  sent: sentAsTyped,
  compare: inOrderOf(wordsOf),
};
