/** Making and changing an item, in each of its languages. */
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ITEM, ITEMS, openItem, openNew, openRich, saves, type } from "@/testing/items";

// spec: items-7, items-8, items-13
test("a new item is sent with the values that were given, each as its type", async () => {
  const opened = await openNew();
  const { user, dialog } = opened;
  const sent = saves("post", ITEMS);

  expect(screen.getByRole("dialog", { name: "Add New Item" })).toBeVisible();
  expect(dialog.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["🇬🇧 English", "🇩🇪 German", "🇸🇦 Arabic"]);
  expect(dialog.getByRole("textbox", { name: "photo" })).toHaveAttribute("placeholder", "Enter image or file URL");
  await type(opened, "title", "Oslo");
  await user.click(dialog.getByRole("spinbutton", { name: "price" }));
  await user.keyboard("9.5");
  fireEvent.change(dialog.getByLabelText("from"), { target: { value: "2026-05-14" } });
  await user.click(dialog.getByRole("textbox", { name: "photo" }));
  await user.paste("https://example.com/a.png");
  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Oslo!");
  await user.click(dialog.getByRole("button", { name: "Add item" }));

  expect(await screen.findByText("Item created successfully!")).toBeInTheDocument();
  expect(sent).toEqual([
    {
      data: {
        title: { en: "Oslo", de: "Oslo!" },
        price: 9.5,
        open: false,
        from: "2026-05-14",
        photo: "https://example.com/a.png",
      },
    },
  ]);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(await screen.findByRole("table")).toHaveTextContent("Lofoten");
});

// spec: items-11
test("a required value is asked for where it belongs, whichever tab is open", async () => {
  const { user, dialog } = await openNew();
  const sent = saves("post", ITEMS);
  expect(dialog.getByRole("textbox", { name: "title" })).toBeRequired();
  expect(dialog.getByRole("textbox", { name: "photo" })).not.toBeRequired();

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  expect(dialog.getByRole("textbox", { name: "title" })).not.toBeRequired();
  await user.click(dialog.getByRole("button", { name: "Add item" }));

  expect(dialog.getByRole("tab", { name: /English/ })).toHaveAttribute("aria-selected", "true");
  expect(dialog.getByText("This field is required.")).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveFocus();
  expect(sent).toEqual([]);
});

// spec: items-10
test("a field that is not translatable is off in other languages, and shows why", async () => {
  const { user, dialog } = await openItem();

  await user.click(dialog.getByRole("tab", { name: /German/ }));

  for (const name of ["price", "open", "from", "photo"]) {
    expect(dialog.getByRole("textbox", { name })).toBeDisabled();
    expect(dialog.getByRole("textbox", { name })).toHaveValue("(Not translatable)");
  }
  expect(dialog.getByRole("textbox", { name: "title" })).toBeEnabled();
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveAttribute("placeholder", "Lofoten");
});

// spec: items-12
test("a right-to-left language is written from right to left", async () => {
  const { user, dialog } = await openRich();

  await user.click(dialog.getByRole("tab", { name: /Arabic/ }));

  expect(dialog.getByRole("textbox", { name: "title" }).closest("[dir]")).toHaveAttribute("dir", "rtl");
  expect(await dialog.findByRole("textbox", { name: "story" })).toHaveAttribute("dir", "rtl");
});

// spec: items-7
test("the arrow keys go through the languages", async () => {
  const { user, dialog } = await openItem();

  expect(screen.getByRole("dialog", { name: "Edit Item" })).toBeVisible();
  await user.click(dialog.getByRole("tab", { name: /English/ }));
  await user.keyboard("{ArrowLeft}");
  expect(dialog.getByRole("tab", { name: /Arabic/ })).toHaveFocus();
  expect(dialog.getByRole("tab", { name: /Arabic/ })).toHaveAttribute("aria-selected", "true");
});

// spec: items-14
test("only changed values are sent, and null for emptied values", async () => {
  const opened = await openItem();
  const sent = saves("put", ITEM);

  await opened.user.clear(opened.dialog.getByRole("spinbutton", { name: "price" }));
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Die Lofoten");
  await opened.user.keyboard("{Control>}{Enter}{/Control}");

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ data: { title: { de: "Die Lofoten" }, price: null }, revision: 1 }]);
});
