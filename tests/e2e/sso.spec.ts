/** Single sign-on in a browser: at the login page of a real provider, and back to the page that was wanted. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "@playwright/test";
import { picture } from "./support/pictures.js";
import { test as base, expect } from "./support/server.js";

const SCRIPT = join(import.meta.dirname, "../support/oidc-provider.mjs");
const CLIENT_SECRET = "a+secret/with=signs and spaces";

async function issuerOf(provider: ChildProcess): Promise<string> {
  if (provider.stdout === null) throw new Error("the provider has no output");
  const said: string[] = [];
  for await (const line of createInterface(provider.stdout)) {
    const [, issuer] = /^issuer (\S+)$/.exec(line) ?? [];
    if (issuer !== undefined) return issuer;
    said.push(line);
  }
  throw new Error(`the provider did not start:\n${said.join("\n")}`);
}

const test = base.extend<object, { issuer: string }>({
  issuer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
    async ({}, use) => {
      const provider = spawn(process.execPath, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
      const ended = new Promise((done) => provider.once("exit", done));
      await use(await issuerOf(provider));
      provider.stdin?.end();
      await ended;
    },
    { scope: "worker" },
  ],
  settings: [
    async ({ issuer }, use) =>
      use({
        LIVERY_OIDC_ISSUER: issuer,
        LIVERY_OIDC_CLIENT_ID: "livery",
        LIVERY_OIDC_CLIENT_SECRET: CLIENT_SECRET,
        LIVERY_OIDC_NAME: "Acme login",
        LIVERY_OIDC_DOMAINS: "acme.example",
        LIVERY_OIDC_ALLOW_PRIVATE: "true",
      }),
    { scope: "worker" },
  ],
});

const shotOf = (page: Page, name: string) => picture(page, `sso-${name}`);
const wayOut = (page: Page) => page.getByRole("link", { name: "Continue with Acme login" });

test("a person logs in at the provider, returns to the page that was wanted, and stays who they are", async ({
  page,
  server,
  greeting,
}) => {
  expect(greeting).toContain(server.url);
  await page.goto(`${server.url}/settings`);
  await expect(wayOut(page)).toBeVisible();
  await shotOf(page, "1-login");

  await page.getByLabel("Email").fill("mara@acme.example");
  await page.getByLabel("Password", { exact: true }).fill("nine grey herons");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("log in with single sign-on");
  await expect(wayOut(page)).toBeFocused();
  await shotOf(page, "2-needed");
  await page.keyboard.press("Enter");

  await page.getByPlaceholder("Enter any login").fill("mara@acme.example");
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Account Settings" })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/settings`);
  const section = page.getByRole("region", { name: "Single sign-on" });
  await expect(section.getByText("Connected to Acme login")).toBeVisible();
  await expect(page.getByText("mara@acme.example").first()).toBeVisible();
  await shotOf(page, "3-settings");

  await page.goto(`${server.url}/logout`);
  await wayOut(page).click(); // the provider still knows this browser
  await expect(page.getByRole("heading", { level: 2, name: "Welcome, Person mara" })).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");
});

test("who turns back at the provider reads that the login was cancelled", async ({ browser, server, greeting }) => {
  expect(greeting).toContain(server.url);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${server.url}/login`);
  await wayOut(page).click();
  await page.getByRole("link", { name: /Cancel/ }).click();
  await expect(page.getByRole("alert")).toHaveText("The login was cancelled.");
  await shotOf(page, "4-cancelled");
});
