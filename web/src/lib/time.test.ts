import { expect, test } from "vitest";
import { relativeTime } from "./time";

const now = new Date(2026, 10, 22, 19, 43).getTime();

test.each([
  ["48 hours less a few seconds", new Date(2026, 10, 24, 19, 42, 50), "in 2 days"],
  ["25 hours", new Date(2026, 10, 23, 20, 43), "tomorrow"],
  ["29 hours, over two midnights", new Date(2026, 10, 24, 0, 43), "in 2 days"],
  ["23 hours", new Date(2026, 10, 23, 18, 43), "in 23 hours"],
  ["almost two days ago", new Date(2026, 10, 21, 0, 10), "yesterday"],
  ["43 hours ago, over two midnights", new Date(2026, 10, 20, 23, 50), "2 days ago"],
  ["six days and some hours", new Date(2026, 10, 29, 10, 0), "in 7 days"],
])("%s are said as a person counts days", (_, moment, words) => {
  expect(relativeTime(moment.getTime(), now)).toBe(words);
});
