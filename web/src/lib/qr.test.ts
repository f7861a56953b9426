import { expect, test } from "vitest";
import { qrCode } from "./qr";

const drawn = (text: string, mask?: number) =>
  qrCode(text, mask)?.map((row) => row.map((isDark) => (isDark ? "#" : ".")).join(""));

test("a code is the one of the standard, module by module", () => {
  expect(drawn("https://livery.test/?x=1", 3)).toEqual([
    "#######.##....#.#.#######",
    "#.....#......##.#.#.....#",
    "#.###.#.#..####...#.###.#",
    "#.###.#.##.#.###..#.###.#",
    "#.###.#.####...##.#.###.#",
    "#.....#..#..###.#.#.....#",
    "#######.#.#.#.#.#.#######",
    ".........#.#..#.#........",
    "####..#.#........#..###.#",
    "...###.###...#..#..#...#.",
    ".##...###....#...##.#....",
    ".#.#...##..#####.#..###..",
    "#....#####.#.#...##.#.###",
    "..#..#.#####.#.#..###...#",
    ".#..#.###.#.#.#..#..#.##.",
    "#....#.#..#.#.##...##...#",
    "....###.#.##.#.##########",
    "........#...#.###...#.#.#",
    "#######..####...#.#.#.###",
    "#.....#..##.#.###...#..#.",
    "#.###.#..###....######..#",
    "#.###.#.##..#######.#####",
    "#.###.#.#####....##.#.##.",
    "#.....#.#.#..###.#..#.#..",
    "#######.###..#...########",
  ]);
});

test.each([
  [17, 21],
  [18, 25],
  [230, 53],
  [271, 57],
  [858, 97],
])("%d bytes are in a code of %d modules", (length, size) => {
  expect(qrCode("x".repeat(length))).toHaveLength(size);
});

test("a text that is too long has no code", () => {
  expect(qrCode("x".repeat(859))).toBeNull();
});

test("every code has its three corners, its timing line and the module that is always dark", () => {
  for (const length of [1, 100, 200, 300, 500, 800]) {
    const rows = drawn("é".repeat(length / 2 + 1)) ?? [];
    const size = rows.length;
    expect(rows[0]?.startsWith("#######.")).toBe(true);
    expect(rows[0]?.endsWith(".#######")).toBe(true);
    expect(rows[size - 1]?.startsWith("#######.")).toBe(true);
    expect(rows[6]?.slice(8, size - 8)).toMatch(/^(#\.)+#$/);
    expect(rows[size - 8]?.[8]).toBe("#");
  }
});
