/**
 * A writer's afternoon. The writer fills a screen of many keys, of which some lack German, without a mouse. AI writes French for all screens.
 * A colleague's change arrives by itself, a mistake is undone from the history, and the writer publishes. The test notes how long each part takes.
 */
import type { Page } from "@playwright/test";
import { Desk } from "./desk.js";
import { Keyboard } from "./keyboard.js";
import { picture } from "./pictures.js";
import { expect, type LiveryServer, test } from "./server.js";

const SCREEN = "catalogue";
const PASSWORD = "nine grey herons";
const COLLEAGUE = { name: "Noor Aziz", email: "noor@catalogue.example", password: PASSWORD };

const shotOf = (page: Page, name: string) => picture(page, `text-${name}`);

interface Catalogue {
  /** How many keys the screen has. */
  readonly keys: number;
  /** The keys that lack German. */
  readonly missing: readonly number[];
}

interface Visit {
  readonly page: Page;
  readonly server: LiveryServer;
  readonly greeting: string;
}

/** The screen, published once: what a team has before this afternoon. */
async function haveCatalogue(desk: Desk, { keys, missing }: Catalogue): Promise<void> {
  await desk.done("POST", `/projects/${desk.projectId}/screens`, { name: SCREEN });
  for (let number = 0; number < keys; number += 1) {
    const german = missing.includes(number) ? {} : { de: `Reise ${number} nach Norden, {name}` };
    const values = { en: `Trip ${number} to the north, {name}`, ...german };
    const key = `trip_${String(number).padStart(3, "0")}`;
    await desk.done("POST", `/translations/${desk.projectId}/${SCREEN}`, { key, values });
  }
  await desk.done("POST", `/translations/${desk.projectId}/publish`);
}

export async function spendAfternoon({ page, server, greeting }: Visit, catalogue: Catalogue): Promise<void> {
  const { keys: count, missing } = catalogue;
  const desk = await Desk.ofOwner(server, greeting);
  await haveCatalogue(desk, catalogue);
  const colleague = await desk.haveEditor(COLLEAGUE);
  const part = async (name: string, work: () => Promise<void>) => {
    await test.step(name, async () => {
      const begin = performance.now();
      await work();
      test.info().annotations.push({ type: name, description: `${Math.round(performance.now() - begin)} ms` });
    });
  };
  const cell = (key: string, language: string) =>
    page.getByRole("gridcell", { name: new RegExp(`^${key}, ${language}: `) });
  const keys = new Keyboard(page);

  await page.setViewportSize({ width: 1440, height: 900 });
  await desk.signIn(page);

  await part("opens the screen", async () => {
    await page.goto(`${server.url}/projects/${desk.projectId}/${SCREEN}`);
    await expect(page.getByRole("rowheader", { name: "trip_000" })).toBeVisible();
    await page.getByRole("combobox", { name: "Second language" }).selectOption("de");
    await expect(cell("trip_000", "German")).toBeVisible();
  });
  await shotOf(page, "opened");

  await part("finds those without German and fills them, without a mouse", async () => {
    await keys.enter("button", `Missing ${missing.length}`);
    await expect(page.getByRole("rowheader")).toHaveCount(missing.length);
    await keys.tabTo("rowheader", "trip_007");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    for (const [position, number] of missing.entries()) {
      const name = `trip_${String(number).padStart(3, "0")} in German`;
      await expect(page.getByRole("textbox", { name })).toBeFocused();
      await page.keyboard.type(`Die Reise ${number} nach Norden, {name}`);
      if (position === 2) await shotOf(page, "filling");
      await page.keyboard.press(position === missing.length - 1 ? "Enter" : "Tab");
    }
    await expect(page.getByRole("button", { name: "Missing 0" })).toBeVisible();
    await expect(page.getByText("Saving…")).toHaveCount(0);
  });
  await shotOf(page, "filled");

  await part("lets AI put all screens into French", async () => {
    await keys.enter("button", new RegExp(`^All ${count}`), { backwards: true });
    await keys.enter("button", "Add language");
    const dialog = page.getByRole("dialog", { name: "Add language" });
    await dialog.getByRole("combobox", { name: "Language" }).fill("French");
    await dialog.getByRole("radio", { name: "All screens" }).check();
    await shotOf(page, "add-french");
    await dialog.getByRole("button", { name: "Add and Translate Language" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: /^AI translations: / })).toBeVisible();
    await shotOf(page, "translating");
    await expect(page.getByRole("button", { name: "AI translations: Translated" })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("button", { name: new RegExp(`^Written by AI ${count}`) })).toBeVisible();
    await expect(cell("trip_000", "French")).toContainText("{name}");
  });
  await page.getByRole("button", { name: "AI translations: Translated" }).click();
  await expect(page.getByText("Pseudo-localization").first()).toBeVisible();
  await shotOf(page, "translated");
  await page.keyboard.press("Escape");

  await part("fixes two by hand", async () => {
    for (const [key, text] of [
      ["trip_000", "Voyage 0 vers le nord, {name}"],
      ["trip_001", "Voyage 1 vers le nord, {name}"],
    ] as const) {
      await cell(key, "French").click();
      await page.getByRole("textbox", { name: `${key} in French` }).fill(text);
      await page.getByRole("textbox", { name: `${key} in French` }).press("Enter");
      await expect(cell(key, "French")).toContainText(text);
    }
    await expect(page.getByRole("button", { name: new RegExp(`^Written by AI ${count - 2}`) })).toBeVisible();
  });

  await part("sees a colleague's change arrive", async () => {
    const values = { fr: "Voyage 2, dit Noor, {name}" };
    await colleague.done("PUT", `/translations/${desk.projectId}/${SCREEN}/trip_002`, { key: "trip_002", values });
    await expect(cell("trip_002", "French")).toContainText("Voyage 2, dit Noor");
  });
  await shotOf(page, "colleague");

  const publish = async () => {
    await page.keyboard.press("Control+Enter");
    const review = page.getByRole("dialog", { name: /^Publish/ });
    await review.getByRole("button", { name: `${SCREEN} ${count} keys` }).click();
    await expect(review.getByText("trip_000").first()).toBeVisible();
    return review;
  };
  await part("publishes", async () => {
    const review = await publish();
    await shotOf(page, "review");
    await review.getByRole("button", { name: /^Publish/ }).click();
    await expect(review).toBeHidden({ timeout: 30_000 });
    await expect(page.getByRole("button", { name: "Changed 0" })).toBeVisible();
  });

  await part("undoes a mistake with the history", async () => {
    await page.getByRole("button", { name: "Actions for trip_003" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete key" }).click();
    await expect(page.getByRole("rowheader", { name: "trip_003" })).toHaveCount(0);
    await page.getByRole("button", { name: "History" }).click();
    const panel = page.getByRole("dialog", { name: /History/ });
    await panel.getByText("Version 2", { exact: true }).click();
    await expect(panel.getByText("Rolling back changes 1 key of the draft.")).toBeVisible();
    await shotOf(page, "history");
    await panel.getByRole("button", { name: "Roll back", exact: true }).click();
    await page
      .getByRole("dialog", { name: "Roll back to version 2?" })
      .getByRole("button", { name: "Roll back" })
      .click();
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
    await shotOf(page, "rolled-back");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("rowheader", { name: "trip_003" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Changed 0" })).toBeVisible();
  });

  await part("searches all screens and lands on the key", async () => {
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("/");
    const search = page.getByRole("dialog");
    await search.getByRole("combobox").fill("dit noor");
    await expect(search.getByRole("option").first()).toContainText("trip_002");
    await shotOf(page, "search");
    // It is highlighted for a moment only.
    const highlighted = page.locator('[role="row"][data-highlighted="true"]').filter({ hasText: "trip_002" });
    await Promise.all([highlighted.waitFor(), page.keyboard.press("Enter")]);
    await expect(page).toHaveURL(/scrollTo=trip_002/);
  });
  await shotOf(page, "found");

  for (const [name, width] of [
    ["768", 768],
    ["375", 375],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await shotOf(page, `at-${name}`);
  }
}
