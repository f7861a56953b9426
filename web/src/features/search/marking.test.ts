import { expect, test } from "vitest";
import { markedParts } from "./marking";

const marked = (text: string, query: string) =>
  markedParts(text, query)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join("");

// spec: search-4
test.each([
  ["Where to next?", "NEXT", "Where to [next]?"],
  ["Große Straße", "strasse", "Große [Straße]"],
  ["İstanbul", "istan", "[İstan]bul"],
  ["Cafe\u0301 crème", "café", "[Cafe\u0301] crème"],
  ["Łódź", "lodz", "[Łódź]"],
  ["الكِتَابُ", "كتاب", "ال[كِتَابُ]"],
  ["대한국민", "한국", "대[한국]민"],
  ["ハパガ", "ハ", "[ハ]パガ"],
  ["東京都", "京", "東[京]都"],
  ["a \n b", "a b", "[a \n b]"],
  ["aXaXa", "a", "[a]X[a]X[a]"],
  ["ΣΟΦΟΣ", "σοφος", "[ΣΟΦΟΣ]"],
  ["nothing", "zebra", "nothing"],
  ["nothing", " ", "nothing"],
  ["", "a", ""],
])("of '%s' the part like '%s' is marked", (text, query, expected) => {
  expect(marked(text, query)).toBe(expected);
});

test("a match in the middle of a long text is shown with the words before it", () => {
  const text = `${"word ".repeat(30)}needle in it`;

  expect(marked(text, "needle")).toMatch(/^…(word )+\[needle\] in it$/);
  expect(marked(text, "needle").length).toBeLessThan(60);
});
