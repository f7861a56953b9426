/** Addresses of files on the web, and images of the project. */
import { type FieldType, inOrderOf, plain, sentTrimmed, typedText } from "./field-type";

export const media: FieldType = {
  name: "Media",
  meaning: "Image or file",
  input: "media",
  isText: false,
  hasMarkup: false,
  isKey: false,
  isPicture: true,
  words: plain,
  typed: typedText,
  sent: sentTrimmed,
  compare: inOrderOf(plain),
};
