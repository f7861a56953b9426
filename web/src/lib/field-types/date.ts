/** Days without a time or zone. */
import { formatUtcDay } from "../time";
import { type FieldType, sentTrimmed, typedText } from "./field-type";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const date: FieldType = {
  name: "Date",
  meaning: "Date",
  input: "date",
  isText: false,
  hasMarkup: false,
  isKey: false,
  isPicture: false,
  words: (value) => (DAY.test(String(value)) ? formatUtcDay(`${String(value)}T00:00:00Z`) : String(value)),
  typed: typedText,
  sent: sentTrimmed,
  compare: (a, b) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0),
};
