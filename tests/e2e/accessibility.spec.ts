/**
 * Every page, light and dark, large and small: axe finds nothing serious and no skipped heading. Nothing scrolls sideways, and nothing moves for
 * a person who asks for no motion.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { Desk } from "./support/desk.js";
import { expect, type LiveryServer, test } from "./support/server.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The rules whose answer depends on the theme: the elements of a page are the same in both. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];
/** Rules that axe does not call serious, and that hold here all the same. */
const LESSER_RULES = ["heading-order"];
const SIZES = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
];

type Theme = "light" | "dark";
type Check = (name: string) => Promise<void>;

async function expectNoViolations(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  // Evaluated by the debugger, because the page's own policy lets no foreign script in.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate((source) => new Function(source)(), axe);
  // axe keeps only one element of a rule that passes: the paths of all remaining elements take as long as the rules.
  const options: RunOptions = { resultTypes: ["violations"], ...(rules ? { runOnly: [...rules] } : {}) };
  const { violations, passes } = await page.evaluate(async (chosen) => {
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    const { violations, passes } = await axe.run(chosen);
    return { violations, passes: passes.map(({ id }) => id) };
  }, options);
  if (rules === undefined) expect(passes.length, "axe looked at the page").toBeGreaterThan(10);
  else expect(passes, "axe looked at the colours of the page").toContain("color-contrast");
  const serious = violations.filter(
    ({ id, impact }) => impact === "serious" || impact === "critical" || LESSER_RULES.includes(id),
  );
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`),
    name,
  ).toEqual([]);
}

async function expectStill(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  const moving = await page.evaluate(
    () => [...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).transitionDuration !== "0s").length,
  );
  expect(moving, `elements of ${name} with a transition`).toBe(0);
}

/** As if it were chosen in another tab of this browser. */
async function wear(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem("theme", chosen);
    window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  }, theme);
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** Returns a page in this theme, and its check: in both sizes, and the colours of the larger size in the `other` theme. */
async function open(browser: Browser, theme: Theme, { other }: { other?: Theme } = {}): Promise<[Page, Check]> {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" });
  await context.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
  const page = await context.newPage();
  const check = async (name: string) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const where = `${name} at ${size.width}`;
      await expectNoViolations(page, `${where}, ${theme}`);
      await expectStill(page, where);
      if (other === undefined || size !== SIZES[0]) continue;
      await wear(page, other);
      await expectNoViolations(page, `${where}, ${other}`, COLOR_RULES);
      await wear(page, theme);
    }
  };
  return [page, check];
}

async function visitWithoutAccount(page: Page, server: LiveryServer, check: Check): Promise<void> {
  for (const path of [
    "login",
    "register",
    "forgot-password",
    "reset-password/x",
    "verify-email/x",
    "end-keys/x",
    "sso",
    "terms",
    "privacy",
  ]) {
    await page.goto(`${server.url}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await check(`/${path}`);
  }
}

async function visitAroundProjects(page: Page, server: LiveryServer, check: Check): Promise<void> {
  for (const [path, shown] of [
    ["dashboard", "Recent Activity"],
    ["projects", "Aurora Travel"],
    ["projects/create", "Project Name"],
    ["settings", "Developer API Key"],
    ["settings/activity", "Logged in"],
  ] as const) {
    await page.goto(`${server.url}/${path}`);
    await page.getByText(shown).first().waitFor();
    await check(`/${path}`);
  }
}

async function visitTextsAndImages(page: Page, project: string, check: Check): Promise<void> {
  await page.goto(`${project}/home`);
  await page.getByText("welcome_title").waitFor();
  await check("the editor");
  await page.getByRole("button", { name: "Actions for welcome_title" }).click();
  await page.getByRole("menuitem", { name: "Copy key" }).waitFor();
  await check("a key's menu");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.goto(`${project}/colors`);
  await page.getByText("primary").first().waitFor();
  await check("the colours");
  await page.goto(`${project}/images`);
  await page.getByRole("button", { name: "Upload Image" }).click();
  await page.getByRole("dialog").waitFor();
  await check("uploading an image");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await check("the images");
  await page.goto(`${project}/import-texts`);
  await page.getByText(/Flutter ARB/).waitFor();
  await page.getByLabel("Files to import").setInputFiles([
    { name: "de.json", mimeType: "application/json", buffer: Buffer.from('{"home": {"welcome_title": "Wohin?"}}') },
    { name: "fr.json", mimeType: "application/json", buffer: Buffer.from('{"home": {"welcome_title": "Où ?"}}') },
    { name: "broken.json", mimeType: "application/json", buffer: Buffer.from("[") },
  ]);
  await page.getByRole("list", { name: "Contents of the files" }).waitFor();
  await check("the plan of an import");
}

async function visitStoresAndSettings(page: Page, project: string, check: Check): Promise<void> {
  await page.goto(`${project}/stores`);
  await page.getByRole("link", { name: "Destinations" }).waitFor();
  await check("the data stores");
  await page.getByRole("button", { name: "Create Store" }).click();
  await page.getByRole("dialog").waitFor();
  await check("creating a data store");
  await page.goto(`${project}/stores/destinations`);
  const edit = page.getByRole("button", { name: /^Edit: / }).first();
  await edit.waitFor();
  await check("a data store");
  await edit.click();
  await page.getByRole("dialog", { name: "Edit Item" }).waitFor();
  await check("an item of a data store");
  await page.getByRole("tab", { name: /German/ }).click();
  await check("an item of a data store, in another language");
  await page.goto(`${project}/import-texts?store=destinations`);
  await page.getByLabel("Files to import").setInputFiles([
    {
      name: "trips.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("place[en],price,colour\nSvalbard,420,blue\nNothing,many,\n"),
    },
    { name: "theme.css", mimeType: "text/css", buffer: Buffer.from(":root { --sea: #1d4e89; }") },
  ]);
  await page.getByRole("list", { name: "Contents of the files" }).waitFor();
  await check("the import of items");
  await page.goto(`${project}/settings`);
  await page.getByText("Monthly counters start again").waitFor();
  await page.getByRole("button", { name: "Invite member" }).waitFor();
  await check("the project's settings");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await check("the project's settings, edited");
  await page.getByRole("button", { name: "Delete Project" }).click();
  await page.getByRole("dialog").waitFor();
  await check("deleting a project");
  await page.goto(`${project}/settings`);
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByRole("dialog").waitFor();
  await check("making a token");
  await page.goto(`${project}/settings/audit`);
  await page.getByRole("list", { name: "Audit log, newest first" }).waitFor();
  await check("the audit log");
  await page
    .getByRole("button", { expanded: false, name: /^(Added|Changed|Published)/ })
    .first()
    .click();
  await page.locator("dl").first().waitFor();
  await check("an entry of the audit log");
}

test("the pages around the projects are accessible", async ({ browser, server, greeting }) => {
  const [page, check] = await open(browser, "dark", { other: "light" });
  await visitWithoutAccount(page, server, check);
  const desk = await Desk.ofOwner(server, greeting);
  await desk.signIn(page);
  await visitAroundProjects(page, server, check);
  await page.context().close();
});

for (const [name, visit] of [
  ["the texts, colours and images", visitTextsAndImages],
  ["the data stores and settings", visitStoresAndSettings],
] as const) {
  test(`${name} of a project are accessible`, async ({ browser, server, greeting }) => {
    const [page, check] = await open(browser, "light", { other: "dark" });
    const desk = await Desk.ofOwner(server, greeting);
    await desk.signIn(page);
    await visit(page, `${server.url}/projects/${desk.projectId}`, check);
    await page.context().close();
  });
}

// The main tier tries all rules in the theme that a page is opened in. It tries the rules about colours in the second theme, in one size.
for (const theme of ["light", "dark"] as const) {
  // spec: shell-10
  test(`every page is accessible by every rule, opened in ${theme}`, { tag: "@deep" }, async ({
    browser,
    server,
    greeting,
  }) => {
    const [page, check] = await open(browser, theme);
    const desk = await Desk.ofOwner(server, greeting);
    const project = `${server.url}/projects/${desk.projectId}`;
    await visitWithoutAccount(page, server, check);
    await desk.signIn(page);
    await visitAroundProjects(page, server, check);
    await visitTextsAndImages(page, project, check);
    await visitStoresAndSettings(page, project, check);
    await page.context().close();
  });
}
