/** Controls that are off look so: our rules for them come after Mantine's, and hide what Mantine does for controls that are off. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { screen } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { renderPart } from "@/testing/component";

/** The rules of the theme's style sheet that apply to an element, by the values of one property; the last one counts. */
function drawn(element: Element, property: string): string | undefined {
  const sheet = document.createElement("style");
  sheet.textContent = readFileSync(join(import.meta.dirname, "mantine-theme.css"), "utf8");
  document.head.append(sheet);
  onTestFinished(() => sheet.remove());
  const rules = [...(sheet.sheet?.cssRules ?? [])].filter(
    (rule): rule is CSSStyleRule => "selectorText" in rule && element.matches((rule as CSSStyleRule).selectorText),
  );
  return rules.map(({ style }) => style.getPropertyValue(property)).findLast((value) => value !== "");
}

test("a checkbox that is off differs from the same checkbox that can be changed", () => {
  renderPart(
    <>
      <Checkbox label="on" defaultChecked />
      <Checkbox label="on, and off" defaultChecked disabled />
      <Checkbox label="empty, and off" disabled />
    </>,
  );

  expect(drawn(screen.getByLabelText("on"), "background")).toBe("var(--accent)");
  for (const label of ["on, and off", "empty, and off"]) {
    const box = screen.getByLabelText(label);
    expect(drawn(box, "background")).toBe("var(--sunken)");
    expect(drawn(box, "border-color")).toBe("var(--line-2)");
    expect(drawn(screen.getByText(label), "color")).toBe("var(--ink-3)");
  }
  const mark = screen.getByLabelText("on, and off").nextElementSibling as Element;
  expect(drawn(mark, "color")).toBe("var(--ink-3)");
});

test("a field that is off differs from the same field that can be changed", () => {
  renderPart(
    <>
      <TextInput label="text" />
      <TextInput label="text, off" disabled />
      <NativeSelect label="choice, off" data={["one"]} disabled />
    </>,
  );

  expect(drawn(screen.getByLabelText("text"), "background")).toBe("var(--surface)");
  for (const label of ["text, off", "choice, off"]) {
    expect(drawn(screen.getByLabelText(label), "background")).toBe("var(--sunken)");
  }
});
