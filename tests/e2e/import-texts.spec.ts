/** Two files of an app become texts of the draft: dropped, looked at, imported, seen on their screen, and taken back. */
import type { Locator, Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

const EN = { cart: { title: "Your cart", items_left: "{{count}} items left", note: "Pay on arrival." } };
const DE = { cart: { title: "Dein Korb", items_left: "Noch {{count}} Stück", note: "Zahl vor Ort." } };
const FR = { cart: { title: "Votre panier" } };

async function drop(page: Page, files: Record<string, object | string>): Promise<void> {
  await page.getByRole("button", { name: /drag and drop files/ }).evaluate(
    async (zone, contents) => {
      const dataTransfer = new DataTransfer();
      for (const [name, content] of Object.entries(contents)) dataTransfer.items.add(new File([content], name));
      for (const type of ["dragenter", "dragover", "drop"]) {
        zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
        // The page reads what is held over it.
        await new Promise((done) => setTimeout(done, 50));
      }
    },
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === "string" ? content : JSON.stringify(content),
      ]),
    ),
  );
}

/** In each width and theme; nothing may scroll sideways. */
async function pictures(page: Page, name: string, seen?: Locator): Promise<void> {
  for (const width of [1440, 768, 375]) {
    await page.setViewportSize({ width, height: 900 });
    await seen?.evaluate((element) => element.scrollIntoView({ block: "start" }));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `import-${name}-${width}-${colorScheme}`);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflow, `${name} at ${width} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

test("a person drops two files, reads what they would do, imports them, sees the texts, and undoes the import", async ({
  page,
  server,
  greeting,
}) => {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  await desk.done("POST", `/projects/${desk.projectId}/screens`, { name: "cart" });
  await desk.done("POST", `/translations/${desk.projectId}/cart`, { key: "note", values: { en: "Pay at the hotel." } });
  await desk.signIn(page);
  await page.goto(`${server.url}/projects/${desk.projectId}/general`);
  await page.getByRole("link", { name: "Import files" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Import files");
  await expect(page.getByText(/Flutter ARB/)).toBeVisible();
  await pictures(page, "empty");

  await drop(page, { "en.json": EN, "de.json": DE, "broken.json": [1], "fr-CA.json": FR });
  const plan = page.getByRole("list", { name: "Contents of the files" });
  await expect(page.getByText("4 files, 7 texts")).toBeVisible();
  await expect(plan.getByRole("listitem")).toHaveCount(7);
  await expect(page.getByRole("button", { name: "Import 5 texts" })).toBeEnabled();
  await expect(plan.getByRole("checkbox", { name: "cart.note, English" })).not.toBeChecked();
  await pictures(page, "files");
  await pictures(page, "plan", page.getByRole("region", { name: "What the import does" }));
  await page.getByRole("button", { name: "Change how de.json is read" }).click();
  await pictures(page, "change");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove fr-CA.json" }).click();
  await page.getByRole("button", { name: "Remove broken.json" }).click();

  await plan.getByRole("checkbox", { name: "cart.note, English" }).check();
  await page.getByRole("button", { name: "Import 6 texts" }).click();
  await expect(page.getByText("Imported 6 texts.")).toBeVisible();
  await expect(page.getByText(/Nothing is live yet/)).toBeVisible();
  await pictures(page, "done");

  await page.getByRole("link", { name: "See the texts" }).click();
  await expect(page.getByRole("gridcell", { name: /^items_left, English/ })).toContainText("items left");
  await expect(page.getByRole("gridcell", { name: /^note, English/ })).toContainText("Pay on arrival.");
  await picture(page, "import-texts");

  await page.getByRole("link", { name: "Import files" }).click();
  await page.getByRole("button", { name: /^Undo the import of/ }).click();
  await picture(page, "import-undo");
  await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click();
  await expect(page.getByText(/^Took \d+ texts back\./)).toBeVisible();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await page.goto(`${server.url}/projects/${desk.projectId}/cart`);
  await expect(page.getByRole("gridcell", { name: /^note, English/ })).toContainText("Pay at the hotel.");
  await expect(page.getByRole("gridcell", { name: /^items_left/ })).toHaveCount(0);
});

test("a person brings the colours of a theme and the items of a table, and undoes the items", async ({
  page,
  server,
  greeting,
}) => {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  await desk.signIn(page);
  await page.goto(`${server.url}/projects/${desk.projectId}/import-texts`);
  await drop(page, { "theme.css": "@theme { --color-primary: #123456; --color-sea: #1d4e89; --radius: 4px; }" });
  await expect(page.getByRole("button", { name: /^Import \d colours$/ })).toBeEnabled();
  await pictures(page, "colors");
  await page.getByRole("button", { name: /^Import \d colours$/ }).click();
  await page.getByRole("link", { name: "See the colours" }).click();
  await expect(page.getByText("#1d4e89").first()).toBeVisible();

  await page.goto(`${server.url}/projects/${desk.projectId}/stores/destinations`);
  await page.getByRole("link", { name: "Import items" }).click();
  await expect(page.getByRole("combobox", { name: "The files have" })).toHaveValue("destinations");
  await pictures(page, "store");
  await drop(page, {
    "trips.csv": "place[en];place[de];price\nSvalbard;Spitzbergen;420\nFaroe Islands;Die Färöer;310\nNothing;;many\n",
  });
  const plan = page.getByRole("list", { name: "Contents of the files" });
  await expect(plan.getByText("price: Enter a number.")).toBeVisible();
  await pictures(page, "items");
  await page.getByRole("button", { name: "Import 2 items" }).click();
  await expect(page.getByText("Imported 2 items.")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click();
  await expect(page.getByText(/^Took 2 items back\./)).toBeVisible();
});
