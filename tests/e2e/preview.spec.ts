/** A link from the dashboard shows the draft on a phone. The app shows each edit before it is published, and the phone ends the preview. */
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

const OLD = "Where to next, Mira?";

test("a draft is seen on a phone by a link, while everybody else sees what is published", async ({
  page,
  browser,
  server,
  greeting,
}) => {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  const app = `${server.url}/storefront/`;
  await desk.signIn(page);
  await page.goto(`${server.url}/projects/${desk.projectId}/home`);

  await page.getByRole("button", { name: "Preview draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Preview draft" });
  await dialog.getByLabel("Your app's address").fill(app);
  await dialog.getByRole("button", { name: "Make a link" }).click();
  await expect(dialog.getByText(/a phone can't reach it/)).toBeVisible();
  const link = (await dialog.getByRole("link", { name: "Open the app" }).getAttribute("href")) ?? "";
  await picture(page, "preview-link");
  await page.keyboard.press("Escape");
  await picture(page, "preview-header");

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true })).newPage();
  const other = await (await browser.newContext()).newPage();
  const title = '[data-key="home.welcome_title"]';
  await phone.goto(link);
  await other.goto(app);
  await expect(phone.getByText("Draft preview")).toBeVisible();
  await expect(phone.locator('[data-status="live"]')).toBeVisible();
  await expect(phone.locator(title).first()).toHaveText(OLD);
  await expect.poll(() => phone.url()).not.toContain("livery-preview");

  await page.getByRole("gridcell", { name: /^welcome_title, English/ }).click();
  const editor = page.getByRole("textbox", { name: "welcome_title in English" });
  await editor.fill("Only for our eyes, {name}!");
  await editor.press("Enter");
  await expect(page.getByRole("button", { name: /^Publish Changes.*1 change/ })).toBeVisible();
  await expect(phone.locator(title).first()).toHaveText("Only for our eyes, Mira!");
  await picture(phone, "preview-phone");
  await expect(other.locator(title).first()).toHaveText(OLD);

  await phone.reload();
  await expect(phone.locator(title).first()).toHaveText("Only for our eyes, Mira!");
  await phone.getByRole("button", { name: "End the draft preview" }).click();
  await expect(phone.locator(title).first()).toHaveText(OLD);
  await expect(phone.getByText("Draft preview")).toBeHidden();
  await phone.reload();
  await expect(phone.locator('[data-status="live"]')).toBeVisible();
  await expect(phone.locator(title).first()).toHaveText(OLD);
  await expect(phone.getByText("Draft preview")).toBeHidden();
});
