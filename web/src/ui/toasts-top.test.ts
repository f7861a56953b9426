import { expect, test } from "vitest";
import { topBelow } from "./toasts-top";

const box = (top: number, bottom: number, left = 1200, right = 1400) => ({ top, bottom, left, right });
const WINDOW = { innerWidth: 1440, innerHeight: 720 };
const HEADER = box(0, 60, 248, 1440);
const TOOLBAR = box(74, 108);
const HEAD = box(122, 163);

test("toasts begin below the header of a page", () => {
  expect(topBelow([HEADER], 1, WINDOW)).toBe(68);
});

test("toasts begin below the tools at the right of the window", () => {
  expect(topBelow([HEAD, HEADER, TOOLBAR], 1, WINDOW)).toBe(171);
});

test("toasts ignore tools that are not in their way", () => {
  const atTheLeft = box(74, 108, 272, 900);
  const scrolledAway = box(-80, -40);
  const hidden = box(80, 100, 1300, 1300);

  expect(topBelow([atTheLeft, scrolledAway, hidden, box(300, 340)], 1, WINDOW)).toBe(68);
});

test("two toasts need the room of two", () => {
  const below = box(150, 184);

  expect(topBelow([below], 1, WINDOW)).toBe(68);
  expect(topBelow([below], 2, WINDOW)).toBe(192);
});

test("toasts go to the lower end of a window whose upper end is full of tools", () => {
  const phone = { innerWidth: 375, innerHeight: 800 };
  const fields = [70, 170, 270].map((top) => box(top, top + 90, 16, 359));

  expect(topBelow(fields, 1, phone)).toBe(740);
  expect(topBelow([...fields, box(750, 790, 200, 359)], 1, phone)).toBe(682);
});

test("toasts stay at the upper right corner where tools fill the window", () => {
  const cards = [130, 330, 530].map((top) => box(top, top + 190));

  expect(topBelow([TOOLBAR, ...cards], 1, WINDOW)).toBe(116);
});
