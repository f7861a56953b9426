/** The rules of style sheets: layout and text are words (ui/words.ts), tokens carry colours and lengths, and breakpoints have names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const LINES = 4_000;
/** Where the values of the design are written. */
const TOKENS = "/src/ui/tokens.css";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const sheets = Object.keys(import.meta.glob(["/src/**/*.css"]));
const code = Object.entries(
  import.meta.glob<string>(["/src/**/*.tsx", "/src/**/*.ts", "!/src/ui/words.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

/** The lines of style sheets that `wrong` matches, as `file: line`. */
const linesThat = (wrong: RegExp, besides = "") =>
  sheets
    .filter((name) => name !== besides)
    .flatMap((name) =>
      read(name)
        .replaceAll(/\/\*.*?\*\//gs, "")
        .split("\n")
        .filter((line) => wrong.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );

test(`all style sheets together have at most ${LINES} lines`, () => {
  expect(sheets).toContain(TOKENS);
  const lines = sheets.map((name) => read(name).split("\n").length - 1);

  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LINES);
});

test("only tokens carry colours", () => {
  expect(linesThat(/#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/i, TOKENS)).toEqual([]);
});

// Hairlines and rings are written as they are. Of other units, those remain that follow the text, the box or the window.
test("only tokens carry lengths", () => {
  expect(linesThat(/(?<![\w.])(?![12]px)[\d.]+(px|pt|pc|cm|mm|q|in|r(em|ch|lh))\b/i, TOKENS)).toEqual([]);
});

test("a layout changes at the breakpoints of ui/breakpoints.ts only", () => {
  expect(linesThat(/@media.*(width|height)/)).toEqual([]);
  const byHand = code.filter(
    ([name, text]) => /\((min|max)-width:/.test(text) && !/\/(testing|ui\/breakpoints)/.test(name),
  );
  expect(byHand.map(([name]) => name)).toEqual([]);
});
