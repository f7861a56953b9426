/** Every page, light and dark, large and small: axe finds nothing serious, nothing scrolls sideways, nothing moves for who asks for no motion. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect, test } from "./support/server.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

async function expectAccessible(page: Page, name: string): Promise<void> {
  // Evaluated by the debugger, because the page's own policy lets no foreign script in.
  const { violations, passes } = await page.evaluate(async (source) => {
    if (!("axe" in window)) new Function(source)();
    const { axe } = window as unknown as { axe: { run(): Promise<AxeResults> } };
    const { violations, passes } = await axe.run();
    return { violations, passes: passes.length };
  }, axe);
  expect(passes, "axe looked at the page").toBeGreaterThan(10);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`),
    name,
  ).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  const moving = await page.evaluate(
    () => [...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).transitionDuration !== "0s").length,
  );
  expect(moving, `elements of ${name} with a transition`).toBe(0);
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
];

for (const theme of ["light", "dark"] as const) {
  test(`every page is accessible in ${theme}`, async ({ browser, server, greeting }) => {
    const [, email = "", password = ""] = /Log in as\s+(\S+)\s+with the password\s+(\S+)/.exec(greeting) ?? [];
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" });
    await context.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
    const page = await context.newPage();
    const check = async (name: string) => {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await expectAccessible(page, `${name} at ${size.width}`);
      }
    };

    for (const path of [
      "login",
      "register",
      "forgot-password",
      "reset-password/x",
      "verify-email/x",
      "terms",
      "privacy",
    ]) {
      await page.goto(`${server.url}/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await check(`/${path}`);
    }

    await page.goto(`${server.url}/login`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Recent Activity").waitFor();
    await check("/dashboard");
    for (const [path, shown] of [
      ["projects", "Aurora Travel"],
      ["projects/create", "Project Name"],
      ["settings", "Developer API Key"],
    ] as const) {
      await page.goto(`${server.url}/${path}`);
      await page.getByText(shown).first().waitFor();
      await check(`/${path}`);
    }

    const config = await page.request.get(`${server.url}/storefront/config.json`);
    const { projectId } = (await config.json()) as { projectId: string };
    await page.goto(`${server.url}/projects/${projectId}/home`);
    await page.getByText("welcome_title").waitFor();
    await check("the editor");
    await page.getByRole("button", { name: "Actions for welcome_title" }).click();
    await page.getByRole("menuitem", { name: "Copy key" }).waitFor();
    await check("a key's menu");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.goto(`${server.url}/projects/${projectId}/colors`);
    await page.getByText("primary").first().waitFor();
    await check("the colours");
    await page.goto(`${server.url}/projects/${projectId}/images`);
    await page.getByRole("button", { name: "Upload Image" }).click();
    await page.getByRole("dialog").waitFor();
    await check("uploading an image");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await check("the images");
    await page.goto(`${server.url}/projects/${projectId}/stores`);
    await page.getByRole("link", { name: "Destinations" }).waitFor();
    await check("the data stores");
    await page.getByRole("button", { name: "Create Store" }).click();
    await page.getByRole("dialog").waitFor();
    await check("creating a data store");
    await page.goto(`${server.url}/projects/${projectId}/stores/destinations`);
    await page
      .getByRole("button", { name: /^Edit: / })
      .first()
      .waitFor();
    await check("a data store");
    await page
      .getByRole("button", { name: /^Edit: / })
      .first()
      .click();
    await page.getByRole("dialog", { name: "Edit Item" }).waitFor();
    await check("an item of a data store");
    await page.getByRole("tab", { name: /German/ }).click();
    await check("an item of a data store, in another language");
    await page.goto(`${server.url}/projects/${projectId}/settings`);
    await page.getByText("Monthly counters start again").waitFor();
    await page.getByRole("button", { name: "Invite member" }).waitFor();
    await check("the project's settings");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await check("the project's settings, edited");
    await page.getByRole("button", { name: "Delete Project" }).click();
    await page.getByRole("dialog").waitFor();
    await check("deleting a project");
    await context.close();
  });
}
