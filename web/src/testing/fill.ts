/** The button that fills missing texts. */
import { screen, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { KEYS, openScreen } from "@/testing/screen";

export const FILL = `${KEYS}/de/auto-translate`;

export const counted = (missing: number, byPeople: number, byAi: number, provider = "openai") => ({
  missing,
  byPeople,
  byAi,
  provider,
});

export async function openDialog(...answers: RequestHandler[]) {
  const opened = await openScreen({}, ...answers);
  await opened.user.click(screen.getByRole("button", { name: "AI Fill Screen" }));
  const dialog = within(await screen.findByRole("dialog", { name: "AI Fill Screen" }));
  return { ...opened, dialog };
}
