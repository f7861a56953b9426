/** The dialog that adds a language. */
import { screen, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { openScreen } from "@/testing/screen";

export const TWO = { languages: ["en", "de"] };

export async function openDialog(...answers: RequestHandler[]) {
  const opened = await openScreen(TWO, ...answers);
  await opened.user.click(screen.getByRole("button", { name: "Add language" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add language" }));
  await opened.user.type(await dialog.findByRole("combobox", { name: "Language" }), "Arabic");
  return { ...opened, dialog };
}
