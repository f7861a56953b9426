/** Plain text. */
import { type FieldType, inOrderOf, plain, sentAsTyped, typedText } from "./field-type";

export const text: FieldType = {
  name: "String",
  meaning: "Text",
  input: "text",
  isText: true,
  hasMarkup: false,
  isKey: true,
  isPicture: false,
  words: plain,
  typed: typedText,
  sent: sentAsTyped,
  compare: inOrderOf(plain),
};
