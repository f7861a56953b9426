/** A developer finds a place of the documentation by a few letters, with the keyboard. */
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

test.beforeEach(({ greeting }) => expect(greeting).not.toBe("")); // the server is up

test("the documentation is searched by name, with slips, and by keyboard", async ({ page, server }) => {
  const faults: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
  await page.goto(`${server.url}/docs/sdks/python.html`);
  const field = page.getByRole("combobox", { name: "Search the documentation" });
  const results = page.getByRole("option");
  const list = page.locator("#found");

  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await page.keyboard.type("typed keys");
  await expect(results.first()).toBeVisible();
  await picture(page, "docs-search");
  await field.fill("LIVERY_TRUSTED_PROXIES");
  await expect(results.first()).toContainText("LIVERY_TRUSTED_PROXIES");
  await field.fill("scheduel publsh");
  await expect(results.first()).toContainText(/schedule/i);
  await field.fill("<img src=x onerror=alert(1)> zzzz");
  await expect(list).toHaveText("Nothing was found for “<img src=x onerror=alert(1)> zzzz”.");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();

  await field.fill("colour");
  await expect(results.nth(1)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(results.nth(1)).toHaveAttribute("aria-selected", "true");
  await field.fill("react native");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/sdks\/typescript\/client\.html#react-native$/);
  await expect(page.getByRole("heading", { name: "React Native" })).toBeInViewport();
  expect(faults).toEqual([]);

  await page.setViewportSize({ width: 375, height: 740 });
  await field.fill("images");
  await expect(results.first()).toBeVisible();
  await picture(page, "docs-search-375");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(375);
});

test("a search whose index can't be loaded names the reason, and works once it can", async ({ page, server }) => {
  await page.route("**/search.json", (route) => route.abort());
  await page.goto(`${server.url}/docs/`);
  const field = page.getByRole("combobox", { name: "Search the documentation" });

  await field.fill("publish");
  await expect(page.getByRole("listbox")).toHaveText("The search can't be loaded. Check your network, and try again.");
  await page.unroute("**/search.json");
  await field.fill("publishing");

  await expect(page.getByRole("option").first()).toBeVisible();
});
