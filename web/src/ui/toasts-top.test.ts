import { expect, test } from "vitest";
import { topBelow } from "./toasts-top";

const box = (top: number, bottom: number, left = 1200, right = 1400) => ({ top, bottom, left, right });
const HEADER = box(0, 60, 248, 1440);
const TOOLBAR = box(74, 108);
const HEAD = box(122, 163);

test("toasts begin below the header of a page", () => {
  expect(topBelow([HEADER], 1, 1440)).toBe(68);
});

test("toasts begin below the tools at the right of the window", () => {
  expect(topBelow([HEAD, HEADER, TOOLBAR], 1, 1440)).toBe(171);
});

test("toasts ignore tools that are not in their way", () => {
  const atTheLeft = box(74, 108, 272, 900);
  const scrolledAway = box(-80, -40);
  const hidden = box(80, 100, 1300, 1300);

  expect(topBelow([atTheLeft, scrolledAway, hidden, box(300, 340)], 1, 1440)).toBe(68);
});

test("two toasts need the room of two", () => {
  const below = box(150, 184);

  expect(topBelow([below], 1, 1440)).toBe(68);
  expect(topBelow([below], 2, 1440)).toBe(192);
});

test("toasts stay at the upper right corner where tools fill the window", () => {
  const cards = [130, 330, 530].map((top) => box(top, top + 190));

  expect(topBelow([TOOLBAR, ...cards], 1, 1440)).toBe(116);
});
