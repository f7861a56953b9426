import { expect, test } from "vitest";
import { contrastRatio, ratioText } from "./contrast";

// spec: color-14
test.each([
  ["#000000", "#ffffff", "21.00:1"],
  ["#ffffff", "#FFFFFF", "1.00:1"],
  // Known values of the W3C's own examples and of common checkers.
  ["#777777", "#ffffff", "4.47:1"],
  ["#767676", "#ffffff", "4.54:1"],
  ["#ff0000", "#ffffff", "3.99:1"],
  ["#0000ff", "#ffffff", "8.59:1"],
])("%s on %s has %s, both ways", (one, other, text) => {
  expect(ratioText(contrastRatio(one, other))).toBe(text);
  expect(ratioText(contrastRatio(other, one))).toBe(text);
});
