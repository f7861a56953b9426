/** What only a browser can measure: what covers what, what is in line with what, and what is on paper. */
import type { Locator, Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

let desk: Desk;
let project = "";

test.beforeEach(async ({ page, server, greeting }) => {
  desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  await desk.signIn(page);
  project = `${server.url}/projects/${desk.projectId}`;
});

const addingRow = (page: Page) =>
  page.getByRole("textbox", { name: "Name of the new key" }).locator("xpath=ancestor::form[1]");
const leftOf = (element: Element) => element.getBoundingClientRect().left;
const leftsOf = async (elements: Locator) =>
  new Set(await elements.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left)));

test("the row that adds keys does not cover what AI proposes, in a low window too", async ({ page }) => {
  for (const height of [700, 400]) {
    await page.setViewportSize({ width: 1440, height });
    await page.goto(`${project}/home`);
    const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
    // With more rows below it: the row that adds keys sticks to the lower edge of the window.
    await rows.nth(6).getByRole("gridcell").nth(1).click();
    await expect(page.getByRole("button", { name: "Rephrase" })).toBeVisible();
    await page.keyboard.press("Alt+r");
    const panel = page.getByRole("region", { name: "What AI proposes" });
    await expect(panel.getByRole("button", { name: /^Use/ })).toBeVisible();

    const [proposed, adding] = [await panel.boundingBox(), await addingRow(page).boundingBox()];

    const lowerEdge = (proposed?.y ?? 0) + (proposed?.height ?? 0);
    expect.soft(adding?.y, `at ${height}`).toBeGreaterThanOrEqual(lowerEdge);
    await picture(page, `details-proposal-${height}`);
  }
});

test("the badges of all kinds of warnings are equally wide, so that their sentences are in line", async ({ page }) => {
  const kinds = ["malformed", "plural", "missing", "outdated", "pseudo"];
  await desk.done("PUT", `/colors/${desk.projectId}/glow`, { value: "#0d0c0b" });
  const counts = kinds.map((kind) => ({ kind, field: null, language: "de", count: 2 }));
  const warnings = [{ screen: "home", store: null, name: "home", counts, entries: [] }];
  // Read beforehand: the response to a call of the page can no longer be read when the page closes.
  const diff = await desk.done("GET", `/projects/${desk.projectId}/diff`);
  await page.route(`**/api/projects/${desk.projectId}/diff`, (route) => route.fulfill({ json: { ...diff, warnings } }));
  await page.goto(`${project}/home`);
  await page.getByRole("button", { name: /^Publish Changes/ }).click();
  const lines = page.getByRole("region", { name: "Warnings" }).getByRole("listitem");
  await expect(lines).toHaveCount(kinds.length);

  expect((await leftsOf(lines.locator(":scope > :nth-child(2)"))).size).toBe(1);
  await picture(page, "details-warnings");
});

test("a printed release has its changes, without menus, lists and buttons, and is light", async ({ page }) => {
  await desk.done("PUT", `/colors/${desk.projectId}/glow`, { value: "#0e0d0c" });
  const { release } = await desk.done("POST", `/translations/${desk.projectId}/publish`);
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  await page.goto(`${project}/releases?release=${release}`);
  const article = page.getByRole("article", { name: `Release ${release}` });
  await expect(article).toContainText("#0e0d0c");
  const screenOnly = [
    page.getByRole("navigation", { name: "Main" }),
    page.getByRole("navigation", { name: "Releases, newest first" }),
    page.getByRole("button", { name: "Print all changes" }),
    page.getByRole("button", { name: /^Publish Changes/ }),
  ];
  for (const part of screenOnly) await expect(part).toBeVisible();

  await page.emulateMedia({ media: "print" });

  for (const part of screenOnly) await expect.soft(part).toBeHidden();
  await expect(article.getByText("#0e0d0c")).toBeVisible();
  expect(await article.evaluate(leftOf)).toBeLessThan(10);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toMatch(/^rgb\(2[45]\d, 2[45]\d, 2[45]\d\)$/);
  await picture(page, "details-print");
});

test("'Published' has no background, and a state that differs from the apps has a background", async ({ page }) => {
  await desk.done("PUT", `/translations/${desk.projectId}/home/welcome_title`, {
    key: "welcome_title",
    values: { en: "Where now, {name}?" },
  });
  const lookOf = (badge: Locator) =>
    badge.evaluate((element) => {
      const { backgroundColor, fontWeight } = getComputedStyle(element);
      return { isColoured: backgroundColor !== "rgba(0, 0, 0, 0)", fontWeight: Number(fontWeight) };
    });
  for (const [path, published, changed] of [
    ["home", "Published", "Changed"],
    ["colors", "Published", null],
    ["stores/destinations", "Published", null],
  ] as const) {
    await page.goto(`${project}/${path}`);
    expect(await lookOf(page.getByText(published, { exact: true }).first()), path).toEqual({
      isColoured: false,
      fontWeight: 500,
    });
    if (changed === null) continue;
    const differs = page.getByRole("grid").getByText(changed, { exact: true }).first();
    expect(await lookOf(differs), path).toEqual({ isColoured: true, fontWeight: 600 });
  }
});

test("a language's name from right to left is as near to the English name as all other names", async ({ page }) => {
  await page.goto(`${project}/settings`);
  await page.getByRole("region", { name: "Languages" }).getByRole("button", { name: "Add language" }).click();
  const options = page.getByRole("option");
  await options.first().waitFor();
  const gaps = await options.evaluateAll((all) =>
    all.flatMap((option) => {
      const own = option.querySelector("bdi");
      if (own === null || own.textContent === "") return [];
      const text = document.createRange();
      text.selectNodeContents(own);
      const english = own.previousElementSibling?.getBoundingClientRect().right ?? 0;
      const isArabic = /\p{Script=Arabic}/u.test(own.textContent ?? "");
      return [{ isArabic, gap: Math.round(text.getBoundingClientRect().left - english) }];
    }),
  );

  expect(gaps.filter(({ isArabic }) => isArabic).length).toBeGreaterThan(0);
  expect(new Set(gaps.map(({ gap }) => gap))).toEqual(new Set([8]));
  await picture(page, "details-languages");
});

test("the numbers of usage end in one line, and the limits begin in one line", async ({ page }) => {
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${project}/settings`);
    const figures = page.getByRole("meter").locator("xpath=preceding-sibling::div/span[2]");
    await expect(figures.first()).toBeVisible();
    expect(await figures.count()).toBeGreaterThan(1);
    const edges = await figures.evaluateAll((all) =>
      all.map((one) => {
        const [used, limit, share] = [...one.children].map((child) => {
          const text = document.createRange();
          text.selectNodeContents(child);
          return text.getBoundingClientRect();
        });
        return [used?.right, limit?.left, share?.right].map((edge) => Math.round(edge ?? 0)).join(" ");
      }),
    );

    expect.soft(new Set(edges).size, `at ${width}: ${edges.join(" | ")}`).toBe(1);
    await picture(page, `details-usage-${width}`);
  }
});
