import { expect, test } from "vitest";
import { put } from "./put";

const isB = ({ key }: { key: string }) => key === "b";

test("a record that a live change brought before its answer is there once", () => {
  const records = [
    { key: "a", value: 1 },
    { key: "b", value: 1 },
    { key: "c", value: 1 },
  ];

  expect(put(records, { key: "b", value: 2 }, isB)).toEqual([
    { key: "a", value: 1 },
    { key: "b", value: 2 },
    { key: "c", value: 1 },
  ]);
});

test("a new record comes last", () => {
  expect(put([{ key: "a" }], { key: "b" }, isB)).toEqual([{ key: "a" }, { key: "b" }]);
});
