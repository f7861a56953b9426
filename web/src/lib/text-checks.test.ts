import { expect, test } from "vitest";
import { sourceWarning, translationWarning } from "./text-checks";

const english = { name: "English", plurals: ["one", "other"] };
const german = { name: "German", plurals: ["one", "other"] };
const polish = { name: "Polish", plurals: ["one", "few", "many", "other"] };

test.each([
  ["Where to, {name}?", null],
  ["{{ user }} has {0} of %d", null],
  ["a { b and c }", null],
  ["{n, plural, one {# trip} other {# trips}}", null],
  ["{n, plural, offset:1 =0 {none} one {# trip} other {# {kind, select, a {x} other {y}} trips}}", null],
  ["{g, select, male {his} female {her} other {their}} trip", null],
  ["{n, plural, one {# trip} other {# trips}", "A “{” is never closed."],
  ["{n, plural, one {# trip} other # trips}", "The plural of n has a branch without braces."],
  ["{n, plural, one {# trip}}", "The plural of n lacks “other”."],
  ["{g, select, male {his}}", "The select of g lacks “other”."],
  ["{n, plural, eins {# Reise} other {# Reisen}}", "“eins” is no plural form."],
  ["{n, plural, one {a} one {b} other {c}}", "The plural of n has “one” twice."],
  ["{n, selectordinal, one {#st} other {#th}} day", null],
  ["{n, selectordinal, one {#st}} day", "The selectordinal of n lacks “other”."],
  ["{n, plural, other {{m, plural, one {x}}}}", "The plural of m lacks “other”."],
  [" Hello", "Starts with a space."],
  ["Hello ", "Ends with a space."],
  [" ", "Starts with a space."],
  ["", null],
])("the source text '%s'", (text, warning) => {
  expect(sourceWarning(text, { name: "English", plurals: [] })).toBe(warning);
});

test.each([
  ["Hello {name}", "Hallo {name}", null],
  ["Hello {name}", "Hallo", "Placeholder {name} is missing here."],
  ["Hello {name}", "", null],
  ["<b>Book</b> now", "<b>Jetzt</b> buchen", null],
  ["<b>Book</b> now", "</b>Jetzt<b> buchen", "A tag is closed before it is opened."],
  ["<b>Book</b> now", "<b>Jetzt buchen", "Tag </b> is missing here."],
  ["Line<br>two", "Zeile<br>zwei", null],
  ["Total: ", "Summe:", "The English text ends with a space."],
  ["Total:", "Summe: ", "Ends with a space."],
  ["Total: ", "Summe: ", null],
  ["Book now", "Book now", "Same as the English text."],
  ["Hotel", "Hotel", null],
  ["https://aurora.example/help me", "https://aurora.example/help me", "Same as the English text."],
  ["https://aurora.example/help", "https://aurora.example/help", null],
  ["{first} {last}", "{first} {last}", null],
  ["", " Hallo", "Starts with a space."],
])("'%s' as '%s' in German", (source, target, warning) => {
  expect(translationWarning(source, target, english, german)).toBe(warning);
});

test("a plural has the forms of its own language", () => {
  const source = "{n, plural, one {# trip} other {# trips}}";

  expect(translationWarning(source, "{n, plural, one {# podróż} other {# podróży}}", english, polish)).toBe(
    "Polish plurals also need “few” and “many”.",
  );
  expect(
    translationWarning(source, "{n, plural, other {# 回}}", english, { name: "Japanese", plurals: ["other"] }),
  ).toBe(null);
});

test("a text of braces without end is looked at quickly", () => {
  const text = "{n, plural, other {".repeat(1_000);

  expect(sourceWarning(text, english)).toBe("Its plurals and selects are nested too deeply.");
});
