/** The rules of style sheets that stylelint does not check: layout and text are words (ui/words.ts), and breakpoints have names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const LINES = 4_000;

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
const linesThat = (wrong: RegExp) =>
  sheets.flatMap((name) =>
    read(name)
      .replaceAll(/\/\*.*?\*\//gs, "")
      .split("\n")
      .filter((line) => wrong.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );

test(`all style sheets together have at most ${LINES} lines`, () => {
  expect(sheets).toContain("/src/ui/tokens.css");
  const lines = sheets.map((name) => read(name).split("\n").length - 1);

  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LINES);
});

test("a layout changes at the breakpoints of ui/breakpoints.ts only", () => {
  expect(linesThat(/@media.*(width|height)/)).toEqual([]);
  const byHand = code.filter(
    ([name, text]) => /\((min|max)-width:/.test(text) && !/\/(testing|ui\/breakpoints)/.test(name),
  );
  expect(byHand.map(([name]) => name)).toEqual([]);
});
