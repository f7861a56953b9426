/**
 * A lead's week. Half an hour's work of two people is reviewed, seen on a phone before it is live, and published. The campaign is scheduled
 * for tomorrow at nine, cancelled and scheduled again. On Friday a text turns out to be wrong, and the release before is restored.
 */
import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { publish } from "./support/publish.js";
import { expect, test } from "./support/server.js";

test.use({ timezoneId: "Europe/Berlin", actionTimeout: 60_000 });
const WRITER = { name: "Noor Aziz", email: "noor@aurora.example", password: "nine grey herons" };
const TITLE = '[data-key="home.welcome_title"]';

const shotOf = (page: Page, name: string) => picture(page, `publishing-${name}`);

async function writeTitle(page: Page, text: string): Promise<void> {
  await page.getByRole("gridcell", { name: /^welcome_title, English/ }).click();
  const editor = page.getByRole("textbox", { name: "welcome_title in English" });
  await editor.fill(text);
  await editor.press("Enter");
}

test("a lead reviews, previews, publishes, schedules, and brings the release before back", async ({
  page,
  browser,
  server,
  greeting,
}) => {
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  const lead = await Desk.ofOwner(server, greeting);
  const { projectId } = lead;
  const first = await lead.settleDemo();
  const writer = await lead.haveEditor(WRITER);
  await lead.signIn(page);
  await page.goto(`${server.url}/projects/${projectId}/home`);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${server.url}/storefront/`);
  await expect(visitor.locator('[data-status="live"]')).toBeVisible();
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true })).newPage();
  const waiting = (count: number) =>
    expect(page.getByRole("button", { name: new RegExp(`^Publish Changes.*${count} change`) })).toBeVisible();

  await test.step("reviews unpublished changes: who changed what, old and new, and what may be wrong", async () => {
    await writeTitle(page, "Summer is closer than you think, {name}");
    const values = { en: "From {price} a night", de: "Jetzt pro Nacht buchen" };
    await writer.done("PUT", `/translations/${projectId}/home/price_from`, { key: "price_from", values });
    await waiting(2);
    await page.getByRole("button", { name: /^Publish Changes/ }).click();
    const review = page.getByRole("dialog", { name: "Publish Changes" });
    await expect(review.getByText(/^Noor Aziz, /)).toBeVisible();
    await expect(review).toContainText("Summer is closer than you think");
    await expect(review.getByRole("region", { name: "Warnings" })).toContainText("price_from");
    await shotOf(page, "1-review");
    await page.keyboard.press("Escape");
    await expect(review).toBeHidden();
  });

  await test.step("sees it on a phone before anybody else does", async () => {
    await page.getByRole("button", { name: "Preview draft" }).click();
    const dialog = page.getByRole("dialog", { name: "Preview draft" });
    await dialog.getByLabel("Your app's address").fill(`${server.url}/storefront/`);
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const link = (await dialog.getByRole("link", { name: "Open the app" }).getAttribute("href")) ?? "";
    await shotOf(page, "2-link");
    await page.keyboard.press("Escape");
    await phone.goto(link);
    await expect(phone.locator(TITLE).first()).toHaveText("Summer is closer than you think, Mira");
    const values = { de: "Ab {price} pro Nacht" };
    await writer.done("PUT", `/translations/${projectId}/home/price_from`, { key: "price_from", values });
    await writeTitle(page, "Summer is nearer than you think, {name}");
    await expect(phone.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
    await shotOf(phone, "3-phone");
    await expect(visitor.locator(TITLE).first()).toHaveText("Where to next, Mira?");
  });

  await test.step("publishes it, and everybody has it", async () => {
    await publish(page);
    await expect(visitor.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
  });

  await test.step("schedules the campaign for tomorrow at nine, cancels it, and schedules it again", async () => {
    await writeTitle(page, "Twenty percent off, {name}, this week only");
    await waiting(1);
    const dialog = page.getByRole("dialog", { name: "Manage Scheduled Publishes" });
    const chip = page.getByRole("button", { name: /^Publishes .*9:00 AM \(Europe\/Berlin\)$/ });
    const schedule = async () => {
      await page.getByRole("button", { name: "Schedule Publish" }).click();
      await expect(dialog.getByLabel(/^Publish time/)).toHaveValue("09:00");
      await shotOf(page, "4-schedule");
      await dialog.getByRole("button", { name: "Schedule Publish" }).click();
      await expect(page.getByText("Publish scheduled successfully!").last()).toBeVisible();
      await expect(dialog).toBeHidden();
    };
    await schedule();
    await shotOf(page, "5-scheduled");
    await chip.click();
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog", { name: "Cancel this scheduled publish?" }).getByText("Cancel publish").click();
    await expect(page.getByText("Scheduled publish cancelled.")).toBeVisible();
    await expect(chip).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await schedule();
    await expect(chip).toBeVisible();
    const schedules = (await lead.done("GET", `/schedule/project/${projectId}`)) as unknown as { status: string }[];
    expect(schedules[0]?.status).toBe("pending");
    await expect(visitor.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
  });

  await test.step("finds on Friday that a text is wrong, compares, and restores the release before", async () => {
    await publish(page);
    await expect(visitor.locator(TITLE).first()).toHaveText("Twenty percent off, Mira, this week only");
    await page.getByRole("link", { name: "Releases", exact: true }).click();
    const list = page.getByRole("navigation", { name: "Releases, newest first" });
    await expect(list.getByRole("link")).toHaveCount(first + 2);
    const live = page.getByRole("article", { name: `Release ${first + 2}` });
    await expect(live).toContainText("Twenty percent off");
    await live.getByLabel("Compare with").selectOption(String(first));
    await expect(live).toContainText(`From release ${first} to release ${first + 2}: 2 changes.`);
    await shotOf(page, "6-compare");
    await list.getByRole("link", { name: new RegExp(`^Release ${first + 1}\\b`) }).press("Enter");
    await page
      .getByRole("article", { name: `Release ${first + 1}` })
      .getByRole("button", { name: "Restore this release" })
      .press("Enter");
    const question = page.getByRole("dialog", { name: `Restore release ${first + 1}?` });
    await expect(question).toContainText("Summer is nearer");
    await shotOf(page, "7-restore");
    await question.getByRole("button", { name: `Restore release ${first + 1}` }).click();
    await expect(visitor.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
    await expect(list.getByRole("link", { name: new RegExp(`^Release ${first + 3}\\b`) })).toContainText(
      `Restored release ${first + 1}`,
    );
    await shotOf(page, "8-restored");
    // The draft keeps what it has.
    await expect(phone.locator(TITLE).first()).toHaveText("Twenty percent off, Mira, this week only");
  });
  expect(problems).toEqual([]);
});
