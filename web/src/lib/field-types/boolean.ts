/** Yes or no. */
import type { FieldType } from "./field-type";

export const boolean: FieldType = {
  name: "Boolean",
  meaning: "Yes or no",
  input: "switch",
  isText: false,
  hasMarkup: false,
  isKey: false,
  isPicture: false,
  words: (value) => (value === true ? "Yes" : "No"),
  typed: (value) => value === true,
  sent: (typed) => typed,
  compare: (a, b) => Number(a) - Number(b),
};
