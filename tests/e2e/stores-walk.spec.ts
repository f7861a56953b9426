/** A writer builds a data store with every type of field, fills it in two languages, publishes, breaks an item, and rolls it back. */
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { publish } from "./support/publish.js";
import { expect, test } from "./support/server.js";

async function addField(page: Page, number: number, name: string, type: string, isTranslatable = false): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Create Data Store" });
  if (number > 1) await dialog.getByRole("button", { name: "Add Field" }).click();
  await dialog.getByLabel(`Name of field ${number}`).fill(name);
  await dialog.getByLabel(`Type of ${name}`).selectOption(type);
  if (isTranslatable) await dialog.getByLabel(`${name} is translatable`).check();
}

/** Whether what lies under it can't be clicked. */
function takesPointer(lying: Locator): Promise<boolean> {
  return lying.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

/** The items as apps get them. */
async function delivered(request: APIRequestContext, url: string, projectId: string, key: string, language: string) {
  const answer = await request.get(`${url}/sdk/v1/${projectId}/stores/top_places?lang=${language}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (answer.status() === 404) return []; // apps have no such store yet
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as { items: Record<string, unknown>[] }).items;
}

// spec: stores-7, items-8, items-11, items-28, items-29
test("a data store from its first field to a rolled back item", async ({ page, server, greeting }) => {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  const { projectId } = desk;
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) problems.push(message.text());
  });
  await desk.signIn(page);
  const publishableKey = String((await desk.done("GET", `/projects/${projectId}`))["publishableKey"]);

  // The store, with a field of each type.
  await page.goto(`${server.url}/projects/${projectId}/stores`);
  await page.getByRole("button", { name: "Create Store" }).click();
  await page.getByLabel("Store Name").fill("Top Places");
  await expect(page.getByLabel("API Identifier")).toHaveValue("top_places");
  await addField(page, 1, "title", "String", true);
  await page.getByLabel("title is required").check();
  await addField(page, 2, "price", "Number");
  await addField(page, 3, "open", "Boolean");
  await addField(page, 4, "from", "Date");
  await addField(page, 5, "story", "RichText", true);
  await addField(page, 6, "photo", "Media");
  await page.getByRole("dialog").getByRole("button", { name: "Create Store" }).click();
  await expect(page.getByText('Data Store "Top Places" created successfully!')).toBeVisible();
  await page.getByRole("link", { name: "Top Places" }).click();
  await expect(page.getByText("No items found in this Data Store yet.")).toBeVisible();

  // Two items; the formatted text is typed, and stored as clean HTML.
  for (const title of ["Lofoten", "Oslo"]) {
    await page.getByRole("button", { name: "Add New Item" }).click();
    const dialog = page.getByRole("dialog", { name: "Add New Item" });
    await dialog.getByRole("button", { name: "Add item" }).click();
    // The browser asks for what is required, and nothing is sent.
    await expect(dialog.locator("textarea:invalid")).toHaveCount(1);
    await dialog.getByRole("textbox", { name: "title" }).fill(title);
    await dialog.getByLabel("price").fill("129.5");
    await dialog.getByRole("checkbox", { name: "open" }).check();
    await dialog.getByLabel("from").fill("2026-05-14");
    await dialog.getByRole("textbox", { name: "photo" }).fill("https://example.com/a.png");
    await dialog.getByRole("textbox", { name: "story" }).click();
    await expect(dialog.getByRole("textbox", { name: "story" })).toBeFocused();
    await page.keyboard.type("Go ");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("north");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" <img src=x onerror=alert(1)>");
    await page.keyboard.press("Control+Enter");
    await expect(dialog).toBeHidden();
  }
  const row = page.getByRole("row", { name: /Lofoten/ });
  await expect(row).toContainText("129.5");
  await expect(row).toContainText("May 14, 2026");
  await expect(row).toContainText("Go north <img src=x onerror=alert(1)>");

  // AI fills German; its words are marked until a person changes them.
  await page.getByRole("button", { name: "Edit: “Lofoten”" }).click();
  const item = page.getByRole("dialog", { name: "Edit Item" });
  await item.getByRole("tab", { name: /German/ }).click();
  await expect(item.getByLabel("price")).toBeDisabled();
  await item.getByRole("button", { name: "Auto-fill with AI" }).click();
  await expect(page.getByText("AI auto-fill complete!")).toBeVisible();
  await expect(item.getByText("AI", { exact: true }).first()).toBeVisible();
  await item.getByRole("textbox", { name: "title" }).fill("Die Lofoten");
  await item.getByRole("button", { name: "Save changes" }).click();
  await expect(item).toBeHidden();

  await publish(page, ["Top Places"]);
  expect(await takesPointer(page.getByText("Changes published successfully!"))).toBe(false);
  // The server answers the person who published, and then informs apps.
  await expect
    .poll(async () => (await delivered(page.request, server.url, projectId, publishableKey, "de"))[0])
    .toMatchObject({ title: "Die Lofoten", price: 129.5, open: true, from: "2026-05-14" });
  const [english] = await delivered(page.request, server.url, projectId, publishableKey, "en");
  expect(english?.["story"]).toBe("<p>Go <strong>north</strong> &lt;img src=x onerror=alert(1)&gt;</p>");

  // The item is broken, published so, and rolled back. No other unpublished change is published with it.
  await page.getByRole("button", { name: "Edit: “Lofoten”" }).click();
  await page.getByRole("textbox", { name: "title" }).fill("Broken");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("row", { name: /Broken/ })).toContainText("Changed");
  await publish(page, ["Top Places"]);
  await page.getByRole("button", { name: "Edit: “Oslo”" }).click();
  await page.getByRole("textbox", { name: "title" }).fill("Half a thought");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("row", { name: /Half a thought/ })).toContainText("Changed");
  await page.getByRole("button", { name: "Version History: “Broken”" }).click();
  await page.getByRole("button", { name: "Rollback to Version 1" }).click();
  await page.getByRole("dialog", { name: "Confirm Rollback" }).getByRole("button", { name: "Rollback" }).click();
  await expect(page.getByText("Item rolled back and project published successfully!")).toBeVisible();
  await expect(page.getByRole("row", { name: /Lofoten/ })).toContainText("Published");
  await expect(page.getByRole("row", { name: /Half a thought/ })).toContainText("Changed");
  await expect
    .poll(async () =>
      (await delivered(page.request, server.url, projectId, publishableKey, "en")).map(({ title }) => title),
    )
    .toEqual(["Lofoten", "Oslo"]);
  expect(problems).toEqual([]);
});
