/** Formatted text and images of an item, and values that the server refuses. */
import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aStore, PROJECT_ID } from "@/testing/fixtures";
import { ITEM, ITEMS, lofoten, openItem, openNew, openRich, project, saves, type } from "@/testing/items";
import { answer, offline, refusal, server } from "@/testing/server";

// spec: items-8
test("formatted text is written with the toolbar and sent as HTML", async () => {
  const { user, dialog } = await openRich();
  const sent = saves("put", ITEM);

  expect(dialog.getByRole("textbox", { name: "story" })).toHaveTextContent("North.");
  await user.click(dialog.getByRole("button", { name: "Heading" }));
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  await waitFor(() => expect(sent).toEqual([{ data: { story: { en: "<h2>North.</h2>" } }, revision: 1 }]));
});

test("the lines of a plain value become paragraphs and line breaks when it is edited", async () => {
  const story = { en: "North of <b>it</b> all.\r\nCold &amp; clear.\n\nGo." };
  const { user, dialog } = await openItem(
    [{ ...lofoten, data: { ...lofoten.data, story } }],
    project,
    undefined,
    aStore(),
  );
  const sent = saves("put", ITEM);
  await dialog.findByRole("textbox", { name: "story" }, { timeout: 15_000 });

  await user.click(dialog.getByRole("button", { name: "Quote" }));
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  const html = "<blockquote><p>North of <strong>it</strong> all.<br>Cold &amp; clear.</p></blockquote><p>Go.</p>";
  await waitFor(() => expect(sent).toEqual([{ data: { story: { en: html } }, revision: 1 }]));
});

// spec: items-9
test("an image is chosen from the project's library", async () => {
  const { user, dialog } = await openItem();
  const sent = saves("put", ITEM);
  const image = { width: 10, height: 10, bytes: 10, contentType: "image/png", thumbhash: "", revision: 1 };
  server.use(
    answer("get", `/api/images/${PROJECT_ID}`, [
      {
        ...image,
        _id: "img_1",
        key: "lofoten",
        url: `http://x/media/${PROJECT_ID}/lofoten`,
        updatedAt: "2026-11-19T10:00:00Z",
      },
    ]),
  );

  await user.click(dialog.getByRole("button", { name: "Choose image for photo" }));
  await user.click(await dialog.findByRole("button", { name: "lofoten" }));
  expect(dialog.getByRole("textbox", { name: "photo" })).toHaveValue(`/media/${PROJECT_ID}/lofoten`);
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  await waitFor(() => expect(sent).toEqual([{ data: { photo: `/media/${PROJECT_ID}/lofoten` }, revision: 1 }]));
});

// spec: items-16
test.each([
  ["post", ITEMS, "Failed to create item."],
  ["put", ITEM, "Failed to update item."],
] as const)("a %s that fails shows an error and keeps what was typed", async (method, path, text) => {
  const opened = method === "post" ? await openNew() : await openItem();
  server.use(offline(method, path));

  await type(opened, "title", "Lofoten, again");
  await opened.user.keyboard("{Control>}{Enter}{/Control}");

  expect(await opened.dialog.findByText(`${text} The server can't be reached. Please try again.`)).toBeVisible();
  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveValue("Lofoten, again");
});

test("the server's refusal of a value is shown at its field, in the tab of its language", async () => {
  const opened = await openItem();
  server.use(
    refusal("put", ITEM, 422, {
      message: "Use at most 20,000 characters.",
      fields: { "data.title.de": "Use at most 20,000 characters." },
    }),
  );

  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Die Lofoten");
  await opened.user.click(opened.dialog.getByRole("tab", { name: /English/ }));
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  expect(await opened.dialog.findByText("Use at most 20,000 characters.")).toBeVisible();
  expect(opened.dialog.getByRole("tab", { name: /German/ })).toHaveAttribute("aria-selected", "true");
  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveFocus();
});
