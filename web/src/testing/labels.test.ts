import { expect, test } from "vitest";

/** Null where a control can't have labels. */
function labelsOf(control: Element | null): string[] | null {
  const { labels } = control as HTMLInputElement;
  return labels && Array.from(labels, ({ id }) => id);
}

test("a control has the labels that name it or hold it first, as in a browser", () => {
  document.body.innerHTML = `
    <label id="early" for="name"></label>
    <input id="name">
    <label id="late" for="name"></label>
    <label id="around"><b><button id="first"></button></b><input id="second"></label>
    <label id="elsewhere" for="name"><textarea id="inside"></textarea></label>
    <label id="empty" for=""><select id=""></select></label>
    <label id="of-the-first" for="twice"></label><output id="twice"></output><meter id="twice"></meter>
    <label id="of-none" for="box"></label><div id="box"><progress id="bar"></progress></div>
    <label id="around-hidden"><input type="hidden"><input id="seen"></label>`;
  const found = Object.fromEntries(
    ["#name", "#first", "#second", "#inside", "select", "output", "meter", "#bar", "[type=hidden]", "#seen"].map(
      (selector) => [selector, labelsOf(document.querySelector(selector))],
    ),
  );

  expect(found).toEqual({
    "#name": ["early", "late", "elsewhere"],
    "#first": ["around"],
    "#second": [],
    "#inside": [],
    select: [],
    output: ["of-the-first"],
    meter: [],
    "#bar": [],
    "[type=hidden]": null,
    "#seen": ["around-hidden"],
  });
});

test("labels change with the page, and a part that is not on it has its own", () => {
  document.body.innerHTML = '<label id="one" for="name"></label><input id="name">';
  const input = document.querySelector("input");
  const before = labelsOf(input);
  document.querySelector("label")?.setAttribute("for", "other");
  const part = document.createElement("div");
  part.innerHTML = '<label id="two" for="name"></label><input id="name">';

  expect([before, labelsOf(input), labelsOf(part.querySelector("input"))]).toEqual([["one"], [], ["two"]]);
});
