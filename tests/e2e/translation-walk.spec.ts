/**
 * A writer's afternoon: a screen of 400 keys of which eleven lack German, filled without a mouse; French for all screens by AI; a colleague's
 * change that arrives by itself; a mistake undone from the history; and the publish. How long each part takes is noted with the test.
 */
import type { APIRequestContext, Page } from "@playwright/test";
import { Keyboard } from "./support/keyboard.js";
import { expect, type LiveryServer, test } from "./support/server.js";

const KEYS = 400;
const SCREEN = "catalogue";
const MISSING = [7, 41, 42, 99, 130, 177, 203, 264, 310, 388, 399];
const PASSWORD = "nine grey herons";
const COLLEAGUE = { name: "Noor Aziz", email: "noor@catalogue.example" };

// A setting of its own makes this a server of its own: other files would find 400 keys and a fifth language in the demo.
test.use({ settings: { LIVERY_RATE_LIMITS: "off" }, trace: "off" });
interface Desk {
  readonly api: string;
  readonly projectId: string;
  readonly headers: { Authorization: string };
}

function shotOf(page: Page, name: string): Promise<Buffer> {
  return page.screenshot({ path: `test-results/walk/text-${name}.png`, animations: "disabled" });
}

async function sessionOf(request: APIRequestContext, url: string, email: string, password: string): Promise<string> {
  const answer = await request.post(`${url}/api/auth/login`, { data: { email, password } });
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as { token: string }).token;
}

/** The screen of 400 keys, published once: what a team has before this afternoon. */
async function haveCatalogue(request: APIRequestContext, url: string, token: string): Promise<Desk> {
  const headers = { Authorization: `Bearer ${token}` };
  const projects = (await (await request.get(`${url}/api/projects`, { headers })).json()) as { projectId: string }[];
  const projectId = projects[0]?.projectId ?? "";
  const api = `${url}/api`;
  const made = await request.post(`${api}/projects/${projectId}/screens`, { headers, data: { name: SCREEN } });
  expect(made.ok()).toBe(true);
  for (let number = 0; number < KEYS; number += 1) {
    const german = MISSING.includes(number) ? {} : { de: `Reise ${number} nach Norden, {name}` };
    const values = { en: `Trip ${number} to the north, {name}`, ...german };
    const data = { key: `trip_${String(number).padStart(3, "0")}`, values };
    expect((await request.post(`${api}/translations/${projectId}/${SCREEN}`, { headers, data })).ok()).toBe(true);
  }
  expect((await request.post(`${api}/translations/${projectId}/publish`, { headers })).ok()).toBe(true);
  return { api, projectId, headers };
}

/** A colleague with an account, who is an editor of the project; the colleague's own right to call. */
async function haveColleague(request: APIRequestContext, server: LiveryServer, desk: Desk): Promise<Desk["headers"]> {
  await request.post(`${desk.api}/auth/register`, { data: { ...COLLEAGUE, password: PASSWORD } });
  const link = await server.linkTo(COLLEAGUE.email, "verify");
  await request.post(`${desk.api}/auth/verify-email/${link.split("/").at(-1)}`);
  const { headers, api, projectId } = desk;
  const data = { email: COLLEAGUE.email, role: "editor" };
  expect((await request.post(`${api}/projects/${projectId}/members`, { headers, data })).ok()).toBe(true);
  const token = await sessionOf(request, server.url, COLLEAGUE.email, PASSWORD);
  const mail = (await server.mailTo(COLLEAGUE.email, { kind: "invitation" })).replaceAll(/=\r?\n/g, "");
  const [, invitation = ""] = /\/invite\/([\w-]+)/.exec(mail) ?? [];
  const theirs = { Authorization: `Bearer ${token}` };
  expect((await request.post(`${api}/invitations/${invitation}/accept`, { headers: theirs })).ok()).toBe(true);
  return theirs;
}

test("a writer fills, translates, fixes, undoes and publishes a screen of 400 keys", async ({
  page,
  server,
  greeting,
}) => {
  const [, email = "", password = ""] = /Log in as\s+(\S+)\s+with the password\s+(\S+)/.exec(greeting) ?? [];
  const token = await sessionOf(page.request, server.url, email, password);
  const desk = await haveCatalogue(page.request, server.url, token);
  const theirHeaders = await haveColleague(page.request, server, desk);
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
  await page.goto(`${server.url}/login`);
  await page.evaluate((value) => localStorage.setItem("authToken", value), token);

  await part("opens the screen", async () => {
    await page.goto(`${server.url}/projects/${desk.projectId}/${SCREEN}`);
    await expect(page.getByRole("rowheader", { name: "trip_000" })).toBeVisible();
    await page.getByRole("combobox", { name: "Second language" }).selectOption("de");
    await expect(cell("trip_000", "German")).toBeVisible();
  });
  await shotOf(page, "opened");

  await part("finds the eleven and fills them, without a mouse", async () => {
    await keys.enter("button", `Missing ${MISSING.length}`);
    await expect(page.getByRole("rowheader")).toHaveCount(MISSING.length);
    await keys.tabTo("rowheader", "trip_007");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    for (const [position, number] of MISSING.entries()) {
      const name = `trip_${String(number).padStart(3, "0")} in German`;
      await expect(page.getByRole("textbox", { name })).toBeFocused();
      await page.keyboard.type(`Die Reise ${number} nach Norden, {name}`);
      if (position === 2) await shotOf(page, "filling");
      await page.keyboard.press(position === MISSING.length - 1 ? "Enter" : "Tab");
    }
    await expect(page.getByRole("button", { name: "Missing 0" })).toBeVisible();
    await expect(page.getByText("Saving…")).toHaveCount(0);
  });
  await shotOf(page, "filled");

  await part("lets AI put all screens into French", async () => {
    await keys.enter("button", /^All 400/, { backwards: true });
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
    await expect(page.getByRole("button", { name: /^Written by AI 400/ })).toBeVisible();
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
    await expect(page.getByRole("button", { name: /^Written by AI 398/ })).toBeVisible();
  });

  await part("sees a colleague's change arrive", async () => {
    const answer = await page.request.put(`${desk.api}/translations/${desk.projectId}/${SCREEN}/trip_002`, {
      headers: theirHeaders,
      data: { key: "trip_002", values: { fr: "Voyage 2, dit Noor, {name}" } },
    });
    expect(answer.ok()).toBe(true);
    await expect(cell("trip_002", "French")).toContainText("Voyage 2, dit Noor");
  });
  await shotOf(page, "colleague");

  const publish = async () => {
    await page.keyboard.press("Control+Enter");
    const review = page.getByRole("dialog", { name: /^Publish/ });
    await review.getByRole("button", { name: `${SCREEN} 400 keys` }).click();
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
    // It stands out for a moment only.
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
});
