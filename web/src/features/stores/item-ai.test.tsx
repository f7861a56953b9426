/** AI fills the missing texts of an item. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { anItem } from "@/testing/fixtures";
import { ITEM, lofoten, openItem, openNew, project, type } from "@/testing/items";
import { answer, offline, refusal, server } from "@/testing/server";

const FILL = `${ITEM}/auto-translate`;

const filled = anItem(
  { title: { en: "Lofoten", de: "Die Lofoten" }, story: { en: "<p>North.</p>" } },
  { revision: 3, aiWritten: ["title/de"] },
);

// spec: items-21
test("AI fills what a language lacks, shows what it left out, and marks its texts until a person changes them", async () => {
  const sent: unknown[] = [];
  const opened = await openItem();
  const { user, dialog } = opened;
  server.use(
    answer(
      "post",
      FILL,
      { item: filled, provider: "pseudo", failed: [{ field: "story", reason: "A placeholder was lost." }] },
      { onCall: (body) => sent.push(body) },
    ),
  );

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await dialog.findByText(/^AI filled 1 text in German\. It is saved in the draft\./)).toBeVisible();
  expect(screen.queryByText("AI auto-fill complete!")).not.toBeInTheDocument();
  // The dialog has a second close button, the cross.
  expect(dialog.getAllByRole("button", { name: "Close" })).toHaveLength(2);
  expect(dialog.queryByRole("button", { name: "Cancel" })).not.toBeInTheDocument();
  expect(sent).toEqual([{ targetLanguage: "de", referenceLanguage: "en", overwrite: false }]);
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Die Lofoten");
  expect(dialog.getByText("AI")).toBeVisible();
  expect(dialog.getByText(/^Pseudo-localization/)).toBeVisible();
  expect(dialog.getByText(/^: A placeholder was lost\.$/)).toHaveTextContent("story: A placeholder was lost.");
  await type(opened, "title", "Lofoten auf Deutsch");
  expect(dialog.queryByText("AI")).not.toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
});

test("AI that could fill no text shows that and why, and does not report success", async () => {
  const { user, dialog } = await openItem();
  const failed = [{ field: "title", reason: "A placeholder was lost." }];
  server.use(answer("post", FILL, { item: lofoten, provider: "openai", failed }));

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  const notice = await dialog.findByRole("alert");
  expect(notice).toHaveTextContent(
    "AI filled no text in German. 1 text was left as it is:title: A placeholder was lost.",
  );
  expect(screen.queryByText("AI auto-fill complete!")).not.toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
});

// spec: items-24
test("what was typed is saved before AI reads the item", async () => {
  const calls: string[] = [];
  const opened = await openItem();
  server.use(
    answer(
      "put",
      ITEM,
      { ...lofoten, data: { title: { en: "Senja" } }, revision: 2 },
      { onCall: () => calls.push("save") },
    ),
    answer("post", FILL, { item: filled, provider: "openai", failed: [] }, { onCall: () => calls.push("fill") }),
  );

  await type(opened, "title", "Senja");
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  expect(opened.dialog.getByText("Your changes are saved first.")).toBeVisible();
  await opened.user.click(opened.dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await screen.findByText("AI auto-fill complete!")).toBeInTheDocument();
  expect(calls).toEqual(["save", "fill"]);
});

test("existing texts are replaced only on request", async () => {
  const sent: { overwrite?: boolean }[] = [];
  const { user, dialog } = await openItem([anItem({ title: { en: "Lofoten", de: "Von Hand" } })]);
  server.use(
    answer(
      "post",
      FILL,
      { item: filled, provider: "openai", failed: [] },
      { onCall: (body) => sent.push(body as object) },
    ),
  );

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));
  const asked = within(await screen.findByRole("dialog", { name: "Replace the German texts?" }));
  await user.click(asked.getByRole("button", { name: "Replace with AI" }));

  expect(await screen.findByText("AI auto-fill complete!")).toBeInTheDocument();
  expect(sent).toEqual([expect.objectContaining({ overwrite: true })]);
});

// spec: items-22
test("a new item has to be saved before AI fills it", async () => {
  const { user, dialog } = await openNew();
  await user.click(dialog.getByRole("tab", { name: /German/ }));

  const button = dialog.getByRole("button", { name: "Auto-fill with AI" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);

  expect(await dialog.findByRole("alert")).toHaveTextContent("Please save the item before using auto-translate.");
});

// spec: items-23
test("AI fills from the default language, never the default language", async () => {
  const { user, dialog } = await openItem();

  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await dialog.findByText("Invalid reference or target language for auto-fill.")).toBeVisible();
});

test("AI needs an active plan", async () => {
  const { user, dialog } = await openItem([lofoten], { ...project, plan: "free", activeTier: "none" });

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent(/^This project does not have an active plan\./);
});

// spec: items-25
test("AI that fails shows the server's message, or a text of the dashboard", async () => {
  const { user, dialog } = await openItem();
  await user.click(dialog.getByRole("tab", { name: /German/ }));
  const fill = () => user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  server.use(refusal("post", FILL, 503, { message: "The translation service is down." }));
  await fill();
  expect(await dialog.findByText("The translation service is down.")).toBeVisible();
  server.use(answer("post", FILL, {}, { status: 500 }));
  await fill();
  expect(await dialog.findByText("Failed to auto-translate item.")).toBeVisible();
  server.use(offline("post", FILL));
  await fill();
  expect(
    await dialog.findByText("Failed to auto-fill item. The server can't be reached. Please try again."),
  ).toBeVisible();
});
