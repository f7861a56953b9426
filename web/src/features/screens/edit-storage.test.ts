import { expect, test } from "vitest";
import type { Edit } from "./edit";
import { EditStorage } from "./edit-storage";

const PROJECT = "prj_k7m2xq4tz8ha3b5c";

const edit = (text: string, keyId = "key_1"): Edit => ({
  screen: "home",
  keyId,
  keyName: "cta_book",
  language: "de",
  base: "Buchen",
  text,
  status: "waiting",
});

test("a tab that is done with a cell leaves the text of a different tab there", () => {
  const [first, second] = [new EditStorage(PROJECT), new EditStorage(PROJECT)];
  first.write([edit("Los")]);
  first.write([]);

  second.write([edit("Los geht's")]);
  first.write([]);
  first.write([edit("Anderes", "key_2")]);

  expect(new EditStorage(PROJECT).read()).toEqual([edit("Los geht's"), edit("Anderes", "key_2")]);
});

test("the text that was written to a cell last is kept", () => {
  const [first, second] = [new EditStorage(PROJECT), new EditStorage(PROJECT)];
  first.write([edit("Los")]);
  second.write([edit("Los geht's")]);

  expect(new EditStorage(PROJECT).read()).toEqual([edit("Los geht's")]);
});
