/** Pictures of a walk, for a person to look at: `LIVERY_PICTURES=1 npm run e2e` puts them into `test-results/walk`. */
import type { Page } from "@playwright/test";

const isWanted = process.env["LIVERY_PICTURES"] === "1";

export async function picture(page: Page, name: string): Promise<void> {
  if (isWanted) await page.screenshot({ path: `test-results/walk/${name}.png`, animations: "disabled" });
}
