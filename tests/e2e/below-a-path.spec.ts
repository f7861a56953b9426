/**
 * A dashboard below a path of a host, as behind a proxy that has other services at `/`. A person logs in, changes a text, adds an image and
 * publishes. Nothing that the browser asks for is outside the path.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { publish } from "./support/publish.js";
import { expect, freePort, LiveryServer, ownerIn } from "./support/server.js";

const PATH = "/tools/livery";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4YS4DAALmARwb5TbyAAAAAElFTkSuQmCC",
  "base64",
);

const test = base.extend<object, { server: LiveryServer; greeting: string }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const port = await freePort();
      const settings = { LIVERY_BILLING: "off", LIVERY_PUBLIC_URL: `http://localhost:${port}${PATH}` };
      const server = new LiveryServer(port, await mkdtemp(join(tmpdir(), "livery-e2e-path-")), settings);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  greeting: [async ({ server }, use) => use(await server.start()), { scope: "worker" }],
});

test("the dashboard works below a path", async ({ page, server, greeting }) => {
  const outside: string[] = [];
  page.on("request", (request) => {
    const address = request.url();
    if (address.startsWith(server.url) && !address.startsWith(`${server.url}${PATH}/`)) outside.push(address);
  });
  const { email, password } = ownerIn(greeting);
  const dashboard = `${server.url}${PATH}`;

  // A page of members leads to the login, and comes back.
  await page.goto(`${dashboard}/projects`);
  await expect(page).toHaveURL(`${dashboard}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page).toHaveURL(`${dashboard}/projects`);
  await page.getByRole("link", { name: "View Project: Aurora Travel" }).click();
  await expect(page).toHaveURL(/\/projects\/prj_/);

  // An app below the path gets a text while it runs.
  const app = await page.context().newPage();
  await app.goto(`${dashboard}/storefront/`);
  await expect(app.locator('[data-status="live"]')).toBeVisible();
  const photo = app.locator(`img[src*="${PATH}/media/"]`).first();
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.bringToFront();
  await page.getByRole("link", { name: "home", exact: true }).click();
  await page.getByRole("gridcell", { name: /^welcome_title, English/ }).click();
  const editor = page.getByRole("textbox", { name: "welcome_title in English" });
  await editor.fill("Below a path, {name}!");
  await editor.press("Enter");
  await expect(page.getByRole("button", { name: /^Publish Changes.*1 change/ })).toBeVisible();
  await publish(page);
  await expect(app.locator('[data-key="home.welcome_title"]').first()).toHaveText("Below a path, Mira!");

  // What a developer copies has the whole address, and the packages are there.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Connect your app" }).click();
  const connect = page.getByRole("dialog", { name: "Connect your app" });
  await expect(connect).toContainText(`baseUrl: "${dashboard}"`);
  const [, archive = ""] = /npm install (\S+\.tgz)/.exec((await connect.textContent()) ?? "") ?? [];
  expect(archive.startsWith(`${dashboard}/sdk/`)).toBe(true);
  expect((await page.request.get(archive)).ok()).toBe(true);
  await page.keyboard.press("Escape");

  // A deep link. An image is sent and shown below the path.
  const [projectId = ""] = /prj_\w+/.exec(page.url()) ?? [];
  await page.goto(`${dashboard}/projects/${projectId}/images`);
  await page.getByRole("button", { name: "Upload Image" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Image file").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: PIXEL });
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  const shown = page.getByRole("img", { name: "dot" });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);

  // A session that ends leads to the login, and back to the page.
  await page.evaluate(() => localStorage.setItem("authToken", "lvx_over"));
  await page.reload();
  await expect(page).toHaveURL(`${dashboard}/login`);

  expect(outside).toEqual([]);
});
