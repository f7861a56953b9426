/** The question before a roll back of the screen home. */
import { screen, within } from "@testing-library/react";
import type { openHistory } from "@/testing/history";

export const STALE = {
  message: "The draft changed since you looked. Please look at what would change now.",
  code: "stale_draft",
};

export async function askToRollBack({ user, panel }: Awaited<ReturnType<typeof openHistory>>) {
  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 2 keys of the draft.");
  await user.click(panel.getByRole("button", { name: "Roll back" }));
  return within(await screen.findByRole("dialog", { name: "Roll back to version 1?" }));
}
