/**
 * A lead's Friday, on the built product: a review with warnings, two publishes and a comparison of releases. The release before is
 * restored, and the restore is undone, as the delivery API shows. The page is drawn at three widths, light and dark.
 */
import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { publish } from "./support/publish.js";
import { expect, type LiveryServer, test, WITHOUT_PLANS } from "./support/server.js";

test.use({ settings: WITHOUT_PLANS });

const GOOD = "From {price} per night";
const WRONG = "From {price} per person";

/** Signs the demo's owner in; `text` is what apps read in a language. */
async function signIn(page: Page, server: LiveryServer, greeting: string) {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  await desk.signIn(page);
  const config = await (await page.request.get(`${server.url}/storefront/config.json`)).json();
  const { projectId, apiKey, key = apiKey, publishableKey = key } = config as Record<string, string>;
  const text = async (key: string, language = "en"): Promise<string | undefined> => {
    const headers = { Authorization: `Bearer ${publishableKey}` };
    const read = await page.request.get(`${server.url}/sdk/v1/${projectId}/content?lang=${language}`, { headers });
    expect(read.ok(), await read.text()).toBe(true);
    const { texts } = (await read.json()) as { texts: Record<string, Record<string, string>> };
    return texts["general"]?.[key];
  };
  return { desk, text };
}

/** The page at three widths, in both themes. */
async function look(page: Page, name: string) {
  await page.mouse.move(0, 0);
  // A colour on its way to a different colour is nobody's choice.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const width of [1440, 768, 375]) {
    await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
    for (const theme of ["light", "dark"]) {
      await page.evaluate((chosen) => {
        document.documentElement.dataset["theme"] = chosen;
      }, theme);
      await picture(page, `${name}-${width}-${theme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    }
  }
  await page.evaluate(() => {
    document.documentElement.dataset["theme"] = "light";
  });
  await page.setViewportSize({ width: 1440, height: 900 });
}

// spec: publish-6, publish-8, publish-11, publish-13, release-2, release-4
test("a review, two publishes, a comparison, the release before brought back, and that undone", async ({
  page,
  server,
  greeting,
}) => {
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  const { desk, text } = await signIn(page, server, greeting);
  const { projectId } = desk;
  const general = `/translations/${projectId}/general`;
  await desk.done("POST", general, { key: "price_line", values: { en: GOOD, de: "Pro Nacht" } });
  await desk.done("POST", general, { key: "layout_test", values: { en: "Layout", de: "[!!! Ļåýöûţ !!!]" } });
  await page.goto(`${server.url}/projects/${projectId}/general`);

  await page.getByRole("button", { name: /^Publish Changes/ }).click();
  const review = page.getByRole("dialog", { name: "Publish Changes" });
  const warnings = review.getByRole("region", { name: "Warnings" });
  await expect(warnings).toContainText("1 text with other placeholders than the original (price_line).");
  await expect(warnings).toContainText("1 text is pseudo text for testing layouts, not a translation.");
  await expect(review.getByText("Placeholder {price} is missing here.")).toBeVisible();
  await look(page, "review");
  await page.keyboard.press("Escape");
  await expect(review).toBeHidden();
  await desk.done("PUT", `${general}/price_line`, { key: "price_line", values: { de: "Ab {price} pro Nacht" } });
  await publish(page);

  await page.getByRole("link", { name: /^Release \d+$/ }).press("Enter");
  await expect.poll(() => text("price_line")).toBe(GOOD);
  await expect(page.getByRole("navigation", { name: "Releases, newest first" })).toBeVisible();
  const good = Number(/release=(\d+)/.exec(page.url())?.[1]);
  await expect(page.getByRole("article", { name: `Release ${good}` })).toContainText(GOOD);
  await desk.done("PUT", `${general}/price_line`, { key: "price_line", values: { en: WRONG } });
  await expect(page.getByRole("button", { name: /^Publish Changes.*1 change waits/ })).toBeVisible();
  await publish(page);
  await expect.poll(() => text("price_line")).toBe(WRONG);

  const list = page.getByRole("navigation", { name: "Releases, newest first" });
  await list.getByRole("link", { name: new RegExp(`^Release ${good + 1}\\b`) }).click();
  const wrong = page.getByRole("article", { name: `Release ${good + 1}` });
  await expect(wrong.getByText("Live")).toBeVisible();
  await wrong.getByLabel("Compare with").selectOption(String(good - 1));
  await expect(wrong).toContainText(`From release ${good - 1} to release ${good + 1}: 2 changes.`);
  expect(page.url()).toMatch(new RegExp(`release=${good + 1}&against=${good - 1}$`));
  await look(page, "compare");

  await list.getByRole("link", { name: new RegExp(`^Release ${good}\\b`) }).focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("article", { name: `Release ${good}` })
    .getByRole("button", { name: "Restore this release" })
    .click();
  const question = page.getByRole("dialog", { name: `Restore release ${good}?` });
  await expect(question).toContainText(`Apps get release ${good + 2} at once`);
  await expect(question.locator("del")).toHaveText(WRONG);
  expect(await text("price_line")).toBe(WRONG);
  await look(page, "restore");
  await question.getByRole("button", { name: `Restore release ${good}` }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeVisible();
  await expect.poll(() => text("price_line")).toBe(GOOD);
  await expect(list.getByRole("link", { name: new RegExp(`^Release ${good + 2}\\b`) })).toContainText(
    `Restored release ${good}`,
  );
  await undo.press("Enter");
  await expect(page.getByText(`Apps are back on what release ${good + 1} had.`)).toBeVisible();
  await expect.poll(() => text("price_line")).toBe(WRONG);
  await expect(list.getByRole("link")).toHaveCount(good + 3);
  await page.setViewportSize({ width: 375, height: 812 });
  await page.getByRole("link", { name: "All releases" }).click();
  await look(page, "releases");
  expect(problems).toEqual([]);
});
