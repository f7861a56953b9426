/**
 * The main job: change a text in the dashboard and see it change in a running app. The second walk does the same with an account, a project and
 * keys of its own. Both walks touch the product only as a person does.
 */
import { createLivery } from "@livery/client";
import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { publish } from "./support/publish.js";
import { expect, ownerIn, test } from "./support/server.js";

async function logIn(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL("**/dashboard");
}

const shotOf = picture;

test("a text changed in the dashboard changes in the open app without a reload, and stays there offline", async ({
  page,
  context,
  server,
  greeting,
}) => {
  expect(greeting).toContain(server.url);
  const { email, password } = ownerIn(greeting);
  await (await Desk.ofOwner(server, greeting)).settleDemo();
  const app = await context.newPage();
  await app.goto(`${server.url}/storefront/`);
  await expect(app.locator('[data-status="live"]')).toBeVisible();
  const title = app.locator('[data-key="home.welcome_title"]').first();
  await expect(title).toHaveText("Where to next, Mira?");
  await app.evaluate(() => Object.assign(window, { wasOpenAllTheTime: true }));

  await page.bringToFront();
  await logIn(page, server.url, email, password);
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "View Project: Aurora Travel" }).click();
  await page.getByRole("link", { name: "home", exact: true }).click();
  const cell = page.getByRole("gridcell", { name: /^welcome_title, English/ });
  await shotOf(page, "1-editor");
  await cell.click();
  const editor = page.getByRole("textbox", { name: "welcome_title in English" });
  await editor.fill("Ready when you are, {name}!");
  await shotOf(page, "2-editing");
  await editor.press("Enter");
  await expect(page.getByRole("button", { name: /^Publish Changes.*1 change/ })).toBeVisible();
  await page.getByRole("button", { name: /^Publish Changes/ }).click();
  const review = page.getByRole("dialog", { name: "Publish Changes" });
  await expect(review.getByText("welcome_title")).toBeVisible();
  await shotOf(page, "3-review");
  await publish(page);

  await expect(title).toHaveText("Ready when you are, Mira!");
  expect(await app.evaluate(() => "wasOpenAllTheTime" in window)).toBe(true);
  await app.bringToFront();
  await shotOf(app, "4-app");

  await app.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => app.evaluate(async () => (await caches.keys()).length)).toBeGreaterThan(0);
  await server.kill();
  await app.reload();
  await expect(title).toHaveText("Ready when you are, Mira!");
  await expect(app.locator('[data-status="offline"]')).toBeVisible();
  await shotOf(app, "5-offline");

  await server.start();
  await expect(app.locator('[data-status="live"]')).toBeVisible({ timeout: 60_000 });
});

// spec: verify-5
test("a person registers, makes a project, activates the free month, publishes keys and reads them through the SDK", async ({
  page,
  server,
  greeting,
}) => {
  expect(greeting).toContain("Mails are written to");
  await page.goto(`${server.url}/register`);
  await page.getByLabel("Full Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("Ada@Example.com");
  await page.getByLabel("Password", { exact: true }).fill("a difference engine");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/login");
  const mail = await server.mailTo("ada@example.com");
  const [link = ""] = new RegExp(`${server.url}/verify-email/[\\w-]+`).exec(mail.replaceAll(/=\r?\n/g, "")) ?? [];
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Your email is verified" })).toBeVisible();
  await logIn(page, server.url, "ada@example.com", "a difference engine");

  await page.getByRole("link", { name: "Create New Project" }).click();
  await page.getByLabel("Project Name").fill("Notes on the Engine");
  await page.getByRole("button", { name: "Create Project" }).click();
  await page.getByRole("grid", { name: "Texts of general" }).waitFor();
  await shotOf(page, "6-new-project");
  await page.getByRole("button", { name: "Start free month" }).click();
  await shotOf(page, "7-plans");
  await page.getByRole("button", { name: "Activate Free Starter Month" }).click();
  await expect(page.getByText("The plan is active.")).toBeVisible();

  await page.getByRole("textbox", { name: "New screen name" }).fill("Home");
  await page.getByRole("textbox", { name: "New screen name" }).press("Enter");
  await expect(page.getByText('Screen "home" added!')).toBeVisible();
  // The page before it has such a field too.
  await page.getByRole("grid", { name: "Texts of home" }).waitFor();
  const name = page.getByRole("textbox", { name: "Name of the new key" });
  for (const [key, text] of [
    ["title", "The engine weaves {what}"],
    ["cta", "Start the engine"],
  ] as const) {
    await name.fill(key);
    await name.press("Enter");
    await page.getByRole("textbox", { name: "English text of the new key" }).fill(text);
    await page.getByRole("textbox", { name: "English text of the new key" }).press("Enter");
    await expect(page.getByRole("gridcell", { name: `${key}, English: ${text}` })).toBeVisible();
  }
  await shotOf(page, "8-keys");
  await publish(page);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Connect your app" }).click();
  await shotOf(page, "9-connect");
  const dialog = page.getByRole("dialog", { name: "Connect your app" });
  const shown = (await dialog.textContent()) ?? "";
  for (const [address] of shown.matchAll(/http:[^\s"]+\.tgz/g))
    expect((await page.request.get(address)).ok()).toBe(true);
  const [key = ""] = /lvp_\w{40}/.exec(shown) ?? [];
  const [projectId = ""] = /prj_[a-z2-7]{16}/.exec(shown) ?? [];
  const livery = createLivery({ projectId, key, baseUrl: server.url, language: "en" });
  await expect.poll(() => livery.waitForLatest()).toBe(true);
  expect(livery.t("home.title", { what: "algebra" })).toBe("The engine weaves algebra");
  expect(livery.t("home.cta")).toBe("Start the engine");
  livery.close();
});
