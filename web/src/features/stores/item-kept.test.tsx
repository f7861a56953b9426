/** Unsaved text of an item that is offered again later. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { anItem } from "@/testing/fixtures";
import { changedMeanwhile, ITEM, openItem, openNew, project, saves, type } from "@/testing/items";
import { findOfferOfText, offerOfText } from "@/testing/kept";

test("what was written in an item is offered again after the page was left, in every language", async () => {
  const first = await openItem();
  await type(first, "title", "Vesterålen");
  await first.user.click(first.dialog.getByRole("checkbox", { name: "open" }));
  await first.user.click(first.dialog.getByRole("tab", { name: /German/ }));
  await type(first, "title", "Die Vesterålen");
  first.unmount();

  const { user, dialog } = await openItem();
  const sent = saves("put", ITEM);
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Lofoten");
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Vesterålen");
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ data: { title: { en: "Vesterålen", de: "Die Vesterålen" }, open: false }, revision: 1 }]);
  await user.click(await screen.findByRole("button", { name: "Edit: “Lofoten”" }));
  await screen.findByRole("dialog", { name: "Edit Item" });
  expect(offerOfText()).not.toBeInTheDocument();
});

test("the text of a new item is kept for new items only, and 'Discard changes' gives it up", async () => {
  const first = await openNew();
  await type(first, "title", "Oslo");
  first.unmount();

  const edited = await openItem();
  expect(offerOfText()).not.toBeInTheDocument();
  edited.unmount();

  const { user, dialog, unmount } = await openNew();
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Oslo");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  unmount();

  await openNew();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("kept text of a value that a colleague changed is shown beside the colleague's text", async () => {
  const first = await openItem();
  await type(first, "title", "Vesterålen");
  first.unmount();

  const current = anItem({ title: { en: "Senja" }, price: 7 }, { revision: 4, updatedBy: "Grace Hopper" });
  const opened = await openItem([current], project, "Edit: “Senja”");
  const sent = changedMeanwhile(current);
  await opened.user.click(await findOfferOfText());
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  expect(await opened.dialog.findByText(/^Grace Hopper changed this item while you were writing:/)).toBeVisible();
  expect(sent.map(({ revision }) => revision)).toEqual([1]);
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save mine" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ data: { title: { en: "Vesterålen" } }, revision: 4 }));
});

test("kept text is saved together with a colleague's change elsewhere in the item", async () => {
  const first = await openItem();
  await type(first, "title", "Vesterålen");
  first.unmount();

  const current = anItem({ title: { en: "Lofoten", de: "Senja" }, price: 7 }, { revision: 4 });
  const opened = await openItem([current]);
  const sent = changedMeanwhile(current);
  await opened.user.click(await findOfferOfText());
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  await waitFor(() => expect(sent).toEqual([{ data: { title: { en: "Vesterålen" } }, revision: 4 }]));
});
