/** Publishes the unpublished changes through the review, as a person does. */
import { expect, type Page } from "@playwright/test";

/** Opens the review unless it is open, looks for `shows` in it, and ends when the reviewed changes are published and the page shows this. */
export async function publish(page: Page, shows: readonly string[] = []): Promise<void> {
  const review = page.getByRole("dialog", { name: "Publish Changes" });
  // A click before the page knows of the change opens nothing.
  await expect(async () => {
    if (!(await review.isVisible()))
      await page.getByRole("button", { name: /^Publish Changes/ }).click({ timeout: 5_000 });
    await expect(review).toBeVisible();
  }).toPass();
  for (const text of shows) await expect(review.getByText(text).first()).toBeVisible();
  await review.getByRole("button", { name: /^Publish( [\d,]+ changes?)?$/ }).click();
  // The words of the publish before may still stand there: only the review that closes is this one's.
  await expect(review).toBeHidden({ timeout: 30_000 });
  await expect(page.getByText("Changes published successfully!")).toBeVisible();
}
