/** The settings of an account in the whole dashboard. */
import { screen, within } from "@testing-library/react";
import { aUser } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";

/** Opens the page and waits for it; gives the section with this title. */
export async function openSection(title: string, user = aUser()) {
  const opened = openSignedIn("/settings", user);
  const element = await screen.findByRole("region", { name: title });
  return { ...opened, section: within(element) };
}
