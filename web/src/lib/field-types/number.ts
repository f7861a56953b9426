/** Numbers. */
import { type FieldType, inOrderOf, sentTrimmed, typedText } from "./field-type";

const format = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

const words = (value: unknown): string => (typeof value === "number" ? format.format(value) : String(value));
const byWords = inOrderOf(words);

export const number: FieldType = {
  name: "Number",
  meaning: "Number",
  input: "number",
  isText: false,
  hasMarkup: false,
  isKey: true,
  isPicture: false,
  words,
  typed: typedText,
  sent: (typed) => (sentTrimmed(typed) === null ? null : Number(typed)),
  compare: (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : byWords(a, b)),
};
