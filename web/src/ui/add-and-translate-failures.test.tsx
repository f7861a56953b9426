/** A language that is not added, or added without AI. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openDialog, TWO } from "@/testing/add-language";
import { PROJECT_ID } from "@/testing/fixtures";
import { openScreen } from "@/testing/screen";
import { offline, refusal } from "@/testing/server";

// spec: ai-13
test.each([
  [
    "without a message",
    refusal("post", `/api/translations/${PROJECT_ID}/_all_tabs_/ar/auto-translate`, 500, { message: "" }),
    "Failed to add and translate language",
  ],
  [
    "with a message",
    refusal("post", `/api/translations/${PROJECT_ID}/_all_tabs_/ar/auto-translate`, 403, {
      message: "You've reached the limit.",
    }),
    "You've reached the limit.",
  ],
  [
    "offline",
    offline("post", `/api/translations/${PROJECT_ID}/_all_tabs_/ar/auto-translate`),
    "Failed to add and translate language. The server can't be reached. Please try again.",
  ],
])(
  "a language that can't be added and translated (%s) shows an error, and the dialog stays",
  async (_, refused, message) => {
    const { user, dialog } = await openDialog(refused);

    await user.click(dialog.getByRole("radio", { name: "All screens" }));
    await user.click(dialog.getByRole("button", { name: "Add and Translate Language" }));

    expect(await dialog.findByRole("alert")).toHaveTextContent(message);
    expect(dialog.getByRole("combobox", { name: "Language" })).toHaveValue("Arabic");
  },
);

// spec: ai-19
test("without a plan a language can be added, and AI shows why it is off", async () => {
  const { user } = await openScreen({
    ...TWO,
    plan: "expired",
    activeTier: "expired",
    expiresAt: "2026-01-01T00:00:00Z",
  });
  await user.click(screen.getByRole("button", { name: "Add language" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add language" }));

  expect(await dialog.findByRole("radio", { name: "All screens" })).toBeDisabled();
  expect(
    dialog.getByText("This project does not have an active plan. Please assign credits in Project Settings to use AI."),
  ).toBeVisible();
});
