import { expect, test } from "vitest";
import { placeholderWarning, segmentsOf } from "./placeholders";

const placeholders = (text: string) =>
  segmentsOf(text)
    .filter(({ kind }) => kind === "placeholder")
    .map(({ text: found }) => found);

test.each([
  ["Where to, {name}?", ["{name}"]],
  ["{{ user.name }} has {0}", ["{{ user.name }}", "{0}"]],
  ["From %1$s to %2$@, %d of %.2f and %ld", ["%1$s", "%2$@", "%d", "%.2f", "%ld"]],
  [
    "{count, plural, one {# trip} other {# {kind} trips}} left",
    ["{count, plural, one {# trip} other {# {kind} trips}}"],
  ],
  ['<a href="/x">Read</a> this<br/>', ['<a href="/x">', "</a>", "<br/>"]],
  ["20 % off, 100%sure, 5 < 6, a { b and %%s", []],
  ["", []],
])("the placeholders of '%s'", (text, expected) => {
  expect(placeholders(text)).toEqual(expected);
  expect(
    segmentsOf(text)
      .map((segment) => segment.text)
      .join(""),
  ).toBe(text);
});

test("what is missing and what is too much is named, as often as it differs", () => {
  expect(placeholderWarning("%s of %s", "%s von", "English")).toBe("Placeholder %s is missing here.");
  expect(placeholderWarning("{a} {b}", "", "English")).toBeNull();
  expect(placeholderWarning("{a} and {b}", "nichts", "English")).toBe("Placeholders {a} and {b} are missing here.");
  expect(placeholderWarning("Hi {name}", "Hallo {nam}", "English")).toBe(
    "Placeholder {name} is missing here. Placeholder {nam} is not in the English text.",
  );
});

test("languages may differ in plural categories, white space and the attributes of tags", () => {
  expect(
    placeholderWarning(
      "{count, plural, one {# trip} other {# trips}}",
      "{count, plural, zero {-} one {#} two {#} few {#} many {#} other {#}}",
      "English",
    ),
  ).toBeNull();
  expect(placeholderWarning('{{ name }} <a href="/en">x</a>', '<a href="/de">y</a> {{name}}', "English")).toBeNull();
});
