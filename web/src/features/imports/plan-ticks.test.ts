import { expect, test } from "vitest";
import { choiceOf, isTicked, type TickRow, withTicks } from "./plan-ticks";
import type { RowState } from "./queries";

const row = (number: number, state: RowState, before = ""): TickRow => ({
  _id: String(number),
  ref: `row ${number}`,
  number,
  file: 1,
  kind: "texts",
  place: "",
  name: `row_${number}`,
  screen: "home",
  key: `row_${number}`,
  language: "de",
  store: null,
  text: "new text",
  before,
  state,
  problem: null,
  note: null,
});

const NOTHING = new Map();

test("by default what is new or changed is ticked", () => {
  const rows = (["new", "changed", "conflict", "invalid", "same"] as const).map((state, n) => row(n, state));

  expect(rows.map((one) => isTicked(one, NOTHING))).toEqual([true, true, false, false, false]);
});

test("a conflict that was ticked is not ticked any more once it would overwrite a different text", () => {
  const changes = withTicks(NOTHING, [row(0, "conflict", "theirs")], true);

  expect(isTicked(row(0, "conflict", "theirs"), changes)).toBe(true);
  expect(isTicked(row(0, "conflict", "theirs, edited"), changes)).toBe(false);
});

test("what was left out stays left out, whatever it becomes", () => {
  const changes = withTicks(NOTHING, [row(0, "new")], false);

  expect(isTicked(row(0, "changed", "other"), changes)).toBe(false);
});

test("a choice names the fewer rows of each state", () => {
  const rows = [row(0, "new"), row(1, "new"), row(2, "new"), row(3, "changed"), row(4, "changed"), row(5, "conflict")];
  const few = withTicks(withTicks(NOTHING, [row(0, "new"), row(3, "changed")], false), [row(5, "conflict")], true);

  expect(choiceOf(rows, few)).toEqual({ take: ["new", "conflict"], leaveOut: [0], also: [4] });
  expect(choiceOf(rows, withTicks(NOTHING, rows, false))).toEqual({ take: [], leaveOut: [], also: [] });
});
