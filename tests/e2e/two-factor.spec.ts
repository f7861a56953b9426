/** A person adds an authenticator app and a passkey, and logs in with each. Passkeys are the browser's own, and codes are computed as an app does. */
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";
import { codeOf, STEP_MS } from "./support/totp.js";

const PASSWORD = "nine grey herons";
const LOOKS = [
  [375, "dark"],
  [768, "light"],
  [1440, "light"],
  [1440, "dark"],
] as const;

async function addAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** What the page looks like; nothing may be wider than the window. */
async function shoot(page: Page, name: string, part?: Locator): Promise<void> {
  for (const [width, theme] of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((chosen) => {
      localStorage.setItem("theme", chosen);
      window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
    }, theme);
    await part?.scrollIntoViewIfNeeded();
    await picture(page, `two-factor-${name}-${width}-${theme}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${name} scrolls sideways at ${width}`).toBeLessThanOrEqual(0);
  }
}

test("an app and a passkey each log a person in", async ({ page, server, greeting }) => {
  expect(greeting).toContain("Mails are written to");
  const email = `${randomUUID()}@example.com`;
  const desk = await Desk.ofNewPerson(server, { name: "Noor Aziz", email, password: PASSWORD });
  await addAuthenticator(page);
  await desk.signIn(page);
  const section = page.getByRole("region", { name: "Two-factor sign-in" });
  const dialog = page.getByRole("dialog");
  const welcome = page.getByRole("heading", { level: 2, name: "Welcome, Noor Aziz" });
  const logOut = async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${server.url}/login`);
  };
  const enterPassword = async () => {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
  };
  let secret = "";
  let recoveryCode = "";

  await test.step("sets up the app", async () => {
    await page.goto(`${server.url}/settings`);
    await expect(section.getByText("Off", { exact: true })).toBeVisible();
    await shoot(page, "01-off", section);
    await section.getByRole("button", { name: "Set up" }).click();
    await expect(dialog.getByLabel("Password")).toBeFocused();
    await dialog.getByLabel("Password").fill(PASSWORD);
    await shoot(page, "02-password");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
    secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    expect(secret).toHaveLength(32);
    await shoot(page, "03-app");
    await dialog.getByLabel("Code of the app").fill(codeOf(secret, Date.now()));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    const codes = dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await expect(codes).toHaveCount(10);
    recoveryCode = (await codes.first().textContent()) ?? "";
    await shoot(page, "04-codes");
    await dialog.getByLabel("I have kept them").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toBeHidden();
    await expect(section.getByText("On", { exact: true })).toBeVisible();
  });

  await test.step("logs in with password and code", async () => {
    await logOut();
    await enterPassword();
    const field = page.getByLabel("Code of your authenticator app");
    await expect(field).toBeFocused();
    await shoot(page, "05-second-step");
    await field.fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByText("This code is not right. Check it and try again.")).toBeVisible();
    await field.fill(codeOf(secret, Date.now() + STEP_MS));
    await page.keyboard.press("Enter");
    await expect(welcome).toBeVisible();
  });

  await test.step("adds a passkey", async () => {
    await page.goto(`${server.url}/settings`);
    await section.getByRole("button", { name: "Add a passkey" }).click();
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByLabel("Name of the passkey").fill("Laptop");
    await shoot(page, "06-passkey");
    await dialog.getByRole("button", { name: "Create passkey" }).click();
    await expect(dialog).toBeHidden();
    await expect(section.getByText("Laptop")).toBeVisible();
    await shoot(page, "07-on", section.getByText("Recovery codes"));
  });

  await test.step("logs in with the passkey alone", async () => {
    await logOut();
    await shoot(page, "08-login");
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await expect(welcome).toBeVisible();
  });

  await test.step("logs in with the passkey as the second step, and with a recovery code", async () => {
    await logOut();
    await enterPassword();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(welcome).toBeVisible();
    await logOut();
    await enterPassword();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCode);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await expect(welcome).toBeVisible();
  });
});
