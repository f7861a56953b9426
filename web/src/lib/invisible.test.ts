import { expect, test } from "vitest";
import { withInvisible } from "./invisible";

/** The text as it is shown, names in brackets. */
const shown = (text: string) =>
  withInvisible(text)
    .map(({ text: part, name }) => (name === undefined ? part : `[${name.short}]`))
    .join("");

test("characters that nobody sees are named", () => {
  expect(shown("a\u200bb\ufeff")).toBe("a[ZWSP]b[BOM]");
  expect(shown("\u202eevil\u202c \u2066x\u2069")).toBe("[RLO]evil[PDF] [LRI]x[PDI]");
  expect(shown("log\u200cin\u200d")).toBe("log[ZWNJ]in[ZWJ]");
  expect(withInvisible("a\u200f")[1]?.name?.long).toBe("Right-to-left mark (U+200F)");
});

test("a text without invisible characters stays whole, and joiners inside words and emoji stay part of them", () => {
  for (const text of ["", "Hello\u00a0there\nagain", "می\u200cخواهم", "क्\u200dष", "👩🏽\u200d🚀 ❤️\u200d🔥"]) {
    expect(withInvisible(text).map(({ text: part }) => part)).toEqual(text === "" ? [] : [text]);
  }
  expect(shown("می\u200c\u200cخواهم")).toBe("می[ZWNJ][ZWNJ]خواهم");
});
