/** Copying where the browser has no clipboard for pages, as on plain http. */
import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { hurry } from "@/testing/clock";
import { renderPart } from "@/testing/component";
import { CopyButton } from "./copy-button";

afterEach(() => {
  Reflect.deleteProperty(document, "execCommand");
});

/** `copies` is the browser's older way: it copies the selection, or refuses. */
function renderWithoutClipboard(copies: boolean | null, value = "lvk_example") {
  const opened = renderPart(<CopyButton value={value} label="Copy the key" copied="Key copied!" />);
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as unknown as Clipboard);
  const copied: string[] = [];
  if (copies !== null) {
    document.execCommand = (command: string) => {
      const { activeElement: area } = document;
      if (copies && command === "copy" && area instanceof HTMLTextAreaElement) {
        copied.push(area.value.slice(area.selectionStart, area.selectionEnd));
      }
      return copies;
    };
  }
  return { ...opened, copied, button: screen.getByRole("button", { name: "Copy the key" }) };
}

test("on plain http the text is copied in the browser's older way, and the focus stays", async () => {
  const { user, copied, button } = renderWithoutClipboard(true, "first line\nsecond line");

  await user.click(button);

  expect(await screen.findByText("Key copied!")).toBeInTheDocument();
  expect(copied).toEqual(["first line\nsecond line"]);
  expect(button).toHaveFocus();
  expect(document.querySelector("textarea")).toBeNull();
});

test("a clipboard that refuses leads to the older way, too", async () => {
  const { user, copied, button } = renderWithoutClipboard(true);
  const refusing = { writeText: () => Promise.reject(new DOMException("refused", "NotAllowedError")) };
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(refusing as unknown as Clipboard);

  await user.click(button);

  expect(await screen.findByText("Key copied!")).toBeInTheDocument();
  expect(copied).toEqual(["lvk_example"]);
});

test.each([
  ["refuses", false],
  ["is missing", null],
])("where the older way %s the text is shown and selected, to be copied by hand", async (_, copies) => {
  hurry();
  const { user, button } = renderWithoutClipboard(copies);

  await user.click(button);

  const area = await screen.findByRole("textbox", { name: "The browser does not let Livery copy. Copy this text:" });
  expect(area).toHaveValue("lvk_example");
  expect(area).toHaveFocus();
  expect(area).toHaveProperty("selectionStart", 0);
  expect(area).toHaveProperty("selectionEnd", "lvk_example".length);
  expect(screen.queryByText("Key copied!")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(area).not.toBeInTheDocument());
  expect(button).toHaveFocus();
});
