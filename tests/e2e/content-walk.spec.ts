/**
 * A designer's day, with the running app open beside the dashboard. A new logo is live at once, and a new brand colour is live when it is
 * published. A store grows from nothing to items in two languages, and an item is broken and rolled back.
 */
import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { png } from "./support/png.js";
import { publish } from "./support/publish.js";
import { expect, test } from "./support/server.js";

const BRAND = "#8c2f5e";

const shotOf = (page: Page, name: string) => picture(page, `content-${name}`);

/** The demo comes with destinations; this team has no destinations yet. */
async function forgetDestinations(desk: Desk): Promise<void> {
  const stores = (await desk.done("GET", `/stores/${desk.projectId}`)) as unknown as { _id: string }[];
  for (const { _id } of stores) await desk.done("DELETE", `/stores/${_id}`);
  await desk.settleDemo();
}

async function buildStore(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Data Stores" }).click();
  await page.getByRole("button", { name: "Create Store" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Data Store" });
  await dialog.getByLabel("Store Name").fill("Destinations");
  await expect(dialog.getByLabel("API Identifier")).toHaveValue("destinations");
  for (const [position, [name, type, isTranslatable]] of (
    [
      ["place", "String", true],
      ["story", "RichText", true],
      ["price", "Number", false],
      ["from", "Date", false],
      ["families", "Boolean", false],
      ["photo", "Media", false],
    ] as const
  ).entries()) {
    if (position > 0) await dialog.getByRole("button", { name: "Add Field" }).click();
    await dialog.getByLabel(`Name of field ${position + 1}`).fill(name);
    await dialog.getByLabel(`Type of ${name}`).selectOption(type);
    if (isTranslatable) await dialog.getByLabel(`${name} is translatable`).check();
  }
  await dialog.getByLabel("place is required").check();
  await shotOf(page, "3-store");
  await dialog.getByRole("button", { name: "Create Store" }).click();
  await expect(page.getByText('Data Store "Destinations" created successfully!')).toBeVisible();
  await page.getByRole("link", { name: "Destinations" }).click();
}

async function addItem(page: Page, place: string, price: string, story: string): Promise<void> {
  await page.getByRole("button", { name: "Add New Item" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Item" });
  await dialog.getByRole("textbox", { name: "place" }).fill(place);
  await dialog.getByRole("textbox", { name: "story" }).click();
  await expect(dialog.getByRole("textbox", { name: "story" })).toBeFocused();
  await page.keyboard.type(`${story} `);
  await page.keyboard.press("Control+b");
  await page.keyboard.type("every morning");
  await dialog.getByLabel("price").fill(price);
  await dialog.getByLabel("from").fill("2027-05-20");
  await dialog.getByRole("checkbox", { name: "families" }).check();
  await dialog.getByRole("button", { name: "Choose image for photo" }).click();
  await dialog.getByRole("region", { name: "Image library" }).getByRole("button", { name: /hero/ }).click();
  await dialog.getByRole("button", { name: "Add item" }).click();
  await expect(dialog).toBeHidden();
}

async function editItem(page: Page, label: string, change: () => Promise<void>): Promise<void> {
  await page.getByRole("button", { name: `Edit: “${label}”` }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Item" });
  await change();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toBeHidden();
}

test("a designer changes the logo, the brand colour and the destinations of the running app", async ({
  page,
  context,
  server,
  greeting,
}) => {
  const desk = await Desk.ofOwner(server, greeting);
  const problems: string[] = [];
  context.on("weberror", (error) => problems.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error" || message.text().includes("no image")) problems.push(message.text());
  });
  await forgetDestinations(desk);
  const app = await context.newPage();
  await app.goto(`${server.url}/storefront/`);
  await expect(app.locator('[data-status="live"]')).toBeVisible();
  await app.evaluate(() => Object.assign(window, { wasOpenAllTheTime: true }));
  const logo = app.locator('[data-image="logo_primary"]').first();
  const widthOfLogo = () => logo.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(widthOfLogo).toBe(256);
  await expect(app.locator("#departures")).toBeHidden();
  const brandColor = () =>
    app.evaluate(() => document.documentElement.style.getPropertyValue("--livery-primary").trim());
  const formerColor = await brandColor();
  await page.bringToFront();
  await desk.signIn(page);
  await page.goto(`${server.url}/projects`);
  await page.getByRole("link", { name: "View Project: Aurora Travel" }).click();

  await test.step("the logo is in the app without a publish", async () => {
    await page.getByRole("link", { name: "Images" }).click();
    await page.getByRole("button", { name: "Edit logo_primary" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Replace image" }).click();
    const buffer = png(180, 90, [140, 47, 94]);
    await dialog.getByLabel("Image file").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText('Image "logo_primary" updated successfully!')).toBeVisible();
    await expect.poll(widthOfLogo).toBe(180);
    await shotOf(page, "1-logo");
    await shotOf(app, "1-logo-in-app");
  });

  await test.step("the brand colour is in the app once it is published", async () => {
    await page.getByRole("link", { name: "Colours" }).click();
    await page.getByRole("button", { name: "Edit primary" }).click();
    const form = page.getByRole("form", { name: "Edit primary" });
    await form.getByRole("textbox", { name: "Hex value" }).fill(BRAND);
    await form.getByRole("textbox", { name: "Hex value" }).press("Enter");
    await expect(page.getByText("Changed", { exact: true })).toBeVisible();
    expect(await brandColor()).toBe(formerColor);
    await publish(page, ["primary", BRAND]);
    await expect.poll(brandColor).toBe(BRAND);
    // Every button of the app wears it, once it has glided there.
    const button = app.locator(".card .button").first();
    await expect(button).toHaveCSS("background-color", "rgb(140, 47, 94)");
    await shotOf(app, "2-colour-in-app");
  });

  const departures = app.locator(".departure");
  await test.step("a store with six types of field, and items in two languages", async () => {
    await buildStore(page);
    await addItem(page, "Lofoten", "890", "Fresh bread");
    await addItem(page, "Wadi Rum", "640", "Sweet tea");
    await expect(page.getByRole("row", { name: /Wadi Rum/ })).toContainText("Sweet tea every morning");
    await editItem(page, "Lofoten", async () => {
      await page.getByRole("tab", { name: /German/ }).click();
      await expect(page.getByLabel("price")).toBeDisabled();
      await page.getByRole("textbox", { name: "place" }).fill("Die Lofoten");
    });
    await editItem(page, "Wadi Rum", async () => {
      await page.getByRole("tab", { name: /German/ }).click();
      await page.getByRole("button", { name: "Auto-fill with AI" }).click();
      await expect(page.getByText("AI auto-fill complete!")).toBeVisible();
      await shotOf(page, "4-filled-by-ai");
    });
    await expect(departures).toHaveCount(0);
    await publish(page, ["Destinations"]);
    await expect(departures.locator("h3")).toHaveText(["Lofoten", "Wadi Rum"]);
    await expect(departures.first().locator(".rich")).toHaveText("Fresh bread every morning");
    await expect(departures.first().locator(".rich strong")).toHaveText("every morning");
    await expect(departures.first()).toContainText("€890");
    await expect(departures.first()).toContainText("May 20, 2027");
    await expect(departures.first()).toContainText("Families welcome");
    const photo = departures.first().locator("img");
    await photo.scrollIntoViewIfNeeded();
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
    await shotOf(app, "5-departures");

    await app.getByRole("combobox").selectOption("de");
    await expect(departures.first().locator("h3")).toHaveText("Die Lofoten");
    // What nobody has put into German yet is in the default language, and AI's words are the stand-in's.
    await expect(departures.first().locator(".rich")).toHaveText("Fresh bread every morning");
    const byAi = departures.nth(1);
    await expect(byAi.locator("h3")).not.toHaveText("Wadi Rum");
    await expect(byAi.locator("h3")).toHaveText(/\S/);
    await expect(byAi.locator(".rich strong")).toHaveText(/\S/);
    await expect(byAi).toContainText("Familien willkommen");
    await shotOf(app, "6-german");
    await app.getByRole("combobox").selectOption("en");
    await expect(departures.first().locator("h3")).toHaveText("Lofoten");
  });

  await test.step("breaks an item and rolls it back; the other unpublished change stays unpublished", async () => {
    const title = departures.first().locator("h3");
    await editItem(page, "Lofoten", () => page.getByRole("textbox", { name: "place" }).fill("Lorem ipsum"));
    await publish(page, ["Lorem ipsum"]);
    await expect(title).toHaveText("Lorem ipsum");
    await editItem(page, "Wadi Rum", () => page.getByRole("textbox", { name: "place" }).fill("Half a thought"));
    await page.getByRole("button", { name: "Version History: “Lorem ipsum”" }).click();
    await shotOf(page, "7-history");
    await page.getByRole("button", { name: "Rollback to Version 1" }).click();
    await page.getByRole("dialog", { name: "Confirm Rollback" }).getByRole("button", { name: "Rollback" }).click();
    await expect(page.getByText("Item rolled back and project published successfully!")).toBeVisible();
    await expect(departures.locator("h3")).toHaveText(["Lofoten", "Wadi Rum"]);
    await expect(page.getByRole("row", { name: /Half a thought/ })).toContainText("Changed");
    await shotOf(page, "8-rolled-back");
    await shotOf(app, "9-app");
  });

  expect(await app.evaluate(() => "wasOpenAllTheTime" in window)).toBe(true);
  expect(problems).toEqual([]);
});
