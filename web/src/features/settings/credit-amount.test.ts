import { expect, test } from "vitest";
import { readAmount } from "./credit-amount";

// spec: buy-3
test.each([
  ["en-US", "1,000", 1000],
  ["en-US", "12,345", 12_345],
  ["en-US", "1 000", 1000],
  ["en-US", "1\u202f000", 1000],
  ["en-US", "0010", 10],
  ["en-US", "10.00", 10],
  ["de-DE", "1.000", 1000],
  ["de-CH", "1\u2019000", 1000],
  ["fr-FR", "1\u202f000", 1000],
  ["en-IN", "1,00,000", 100_000],
])("in %s '%s' is %i credits", (language, typed, credits) => {
  expect(readAmount(typed, language)).toEqual({ credits, isExact: true });
});

// spec: buy-3
test.each([
  ["7.9", 7],
  ["many", 1],
  ["", 1],
  ["-5", -5],
])("'%s' becomes %i credits", (typed, credits) => {
  expect(readAmount(typed, "en-US")).toEqual({ credits, isExact: credits < 0 });
});

test.each([
  ["en-US", "1e3"],
  ["en-US", "0x10"],
  ["en-US", "1.000"],
  ["en-US", "1 0"],
  ["en-US", "10,00,0"],
  ["en-US", "10 credits"],
  ["en-US", "1,0005"],
  ["de-DE", "1,000"],
  ["en-US", "١٠"],
])("in %s '%s' is ambiguous", (language, typed) => {
  expect(readAmount(typed, language)).toBeNull();
});
