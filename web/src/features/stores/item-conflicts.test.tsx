/** Two people change the same item. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { anItem } from "@/testing/fixtures";
import { changedMeanwhile, openItem, type } from "@/testing/items";

// spec: items-20
test("a colleague's text for the same value is shown, and 'Save mine' saves the own text", async () => {
  const opened = await openItem();
  const current = anItem({ title: { en: "Senja" }, price: 7 }, { revision: 4, updatedBy: "Grace Hopper" });
  const sent = changedMeanwhile(current);
  await type(opened, "title", "Vesterålen");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  const conflict = await opened.dialog.findByText(/^Grace Hopper changed this item while you were writing:/);
  expect(conflict).toHaveTextContent("title (English): “Senja”");
  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveValue("Vesterålen");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save mine" }));

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent.map(({ revision }) => revision)).toEqual([1, 4]);
});

// spec: items-20
test("'Use theirs' replaces the own text of that value, and of no other value", async () => {
  const opened = await openItem();
  const sent = changedMeanwhile(anItem({ title: { en: "Senja" } }, { revision: 4 }));
  await type(opened, "title", "Vesterålen");
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Meins");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));
  await opened.user.click(await opened.dialog.findByRole("button", { name: "Use theirs" }));

  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveValue("Meins");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ data: { title: { de: "Meins" } }, revision: 4 }));
});

test("changes of different values are saved together without a question", async () => {
  const opened = await openItem();
  const sent = changedMeanwhile(anItem({ title: { en: "Senja" } }, { revision: 4 }));
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Meins");

  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent.map(({ revision }) => revision)).toEqual([1, 4]);
});
