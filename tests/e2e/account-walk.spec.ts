/** A person who was invited to nothing comes to their first project on a phone. The keyboard is enough: no click, no field filled from outside. */
import type { Page } from "@playwright/test";
import { Keyboard } from "./support/keyboard.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

const NAME = "Noor Aziz";
const EMAIL = "noor@example.com";
const FIRST_PASSWORD = "seven grey herons";
const NEW_PASSWORD = "eight grey herons";
const PHONE = { width: 375, height: 740 };
const DESKTOP = { width: 1440, height: 900 };
const SCREENS = ["profile", "checkout", "alerts"];

type Theme = "light" | "dark";

/** What the page looks like, as its own settings would have it; nothing may be wider than the window. */
async function shoot(page: Page, name: string, looks: readonly (readonly [number, Theme])[]): Promise<void> {
  const { width, height } = page.viewportSize() ?? PHONE;
  const focused = await page.evaluateHandle(() => document.activeElement);
  const before = await page.evaluate(() => localStorage.getItem("theme"));
  for (const [wide, theme] of looks) {
    await page.setViewportSize({ width: wide, height: wide < 700 ? PHONE.height : DESKTOP.height });
    await wear(page, theme);
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe(theme);
    await picture(page, `account-${name}-${wide}-${theme}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${name} scrolls sideways at ${wide}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width, height });
  await wear(page, before);
  await focused.evaluate((element) => {
    if (element instanceof HTMLElement && element !== document.activeElement) element.focus();
  });
}

/** Returns the page's message about the new password, and its number of fields then. The page looks, as the message stays for a moment only. */
function whenTold(page: Page): Promise<{ text: string; fields: number }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => {
          const text = [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join("");
          if (text === "") requestAnimationFrame(look);
          else resolve({ text, fields: document.querySelectorAll("input").length });
        };
        look();
      }),
  );
}

/** As if it were chosen in another tab of this browser; null is the system's. */
async function wear(page: Page, theme: string | null): Promise<void> {
  await page.evaluate((chosen) => {
    if (chosen === null) localStorage.removeItem("theme");
    else localStorage.setItem("theme", chosen);
    window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  }, theme);
}

const ALL: readonly (readonly [number, Theme])[] = [
  [375, "dark"],
  [768, "light"],
  [1440, "light"],
];
const ENDS = ALL.filter(([width]) => width !== 768);
/** Where something is open that belongs to the small screen. */
const SMALL: readonly (readonly [number, Theme])[] = [[375, "dark"]];

// spec: shell-11
test("from the sign-up to the first screens and out again, without a mouse", async ({
  page,
  context,
  server,
  greeting,
}) => {
  expect(greeting).toContain("Mails are written to");
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  await page.setViewportSize(PHONE);
  const keyboard = new Keyboard(page);
  const press = (key: string) => page.keyboard.press(key);
  const logIn = async (password: string) => {
    await keyboard.write("Password", password);
    await press("Enter");
  };

  await test.step("registers", async () => {
    await page.goto(`${server.url}/login`);
    await keyboard.expectAt("textbox", "Email");
    await shoot(page, "01-login", ALL);
    await keyboard.enter("link", "Sign Up Now");
    await page.waitForURL("**/register");
    await keyboard.expectAt("textbox", "Full Name");
    await keyboard.write("Full Name", NAME);
    await keyboard.write("Email", EMAIL);
    await keyboard.write("Password", FIRST_PASSWORD);
    await shoot(page, "02-register", ALL);
    await keyboard.enter("button", "Create account");
    await page.waitForURL("**/login");
    await expect(page.getByText("Account created successfully! Please check your email to verify.")).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue(EMAIL);
    await keyboard.expectAt("textbox", "Password");
    await shoot(page, "03-registered", SMALL);
  });

  await test.step("mistypes the password", async () => {
    await logIn(FIRST_PASSWORD.replace("grey", "gray"));
    await expect(page.getByRole("alert")).toHaveText("Invalid email or password.");
    await keyboard.expectAt("textbox", "Password");
    await shoot(page, "04-mistyped", SMALL);
  });

  await test.step("comes before verifying, and has the mail sent again", async () => {
    await logIn(FIRST_PASSWORD);
    await expect(page.getByRole("alert")).toContainText("Please verify your email first");
    await shoot(page, "05-unverified", ENDS);
    const first = await server.linkTo(EMAIL, "verify");
    await keyboard.enter("button", "Resend Email", { backwards: true });
    await expect(page.getByRole("status")).toHaveText("Verification email sent! Check your inbox and spam folder.");
    await expect(keyboard.at("button", "Resend Email")).toBeHidden();
    await keyboard.expectNotLost("after the mail was sent again");
    await shoot(page, "06-sent-again", ENDS);

    const second = await server.linkTo(EMAIL, "verify", { count: 2 });
    await page.goto(first);
    await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
    await shoot(page, "07-old-link", ENDS);
    await page.goto(second);
    await expect(page.getByRole("heading", { name: "Your email is verified" })).toBeVisible();
    await shoot(page, "08-verified", SMALL);
    await keyboard.enter("link", "Log in");
    await page.waitForURL("**/login");
    await expect(page.getByLabel("Email")).toHaveValue(EMAIL);
    await keyboard.expectAt("textbox", "Password");
  });

  await test.step("forgets the password", async () => {
    await keyboard.enter("link", "Forgot Password?");
    await page.waitForURL("**/forgot-password");
    await keyboard.expectAt("textbox", "Email");
    await keyboard.write("Email", EMAIL);
    await shoot(page, "09-forgot", SMALL);
    await keyboard.enter("button", "Send Reset Link");
    await expect(page.getByRole("status")).toHaveText(
      "Password reset link sent! Please check your email (including spam folder).",
    );
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await shoot(page, "10-reset-sent", ENDS);
    // Tab goes on from where the form was.
    await keyboard.tabTo("link", "Back to log in");
  });

  await test.step("resets it", async () => {
    await page.goto(await server.linkTo(EMAIL, "reset"));
    await keyboard.expectAt("textbox", "New Password");
    await keyboard.write("New Password", "herons");
    await keyboard.write("Confirm New Password", "heron");
    await press("Enter");
    await expect(page.getByText("Passwords do not match. Please try again.")).toBeVisible();
    await expect(page.getByText("Password must be at least 8 characters long.")).toBeVisible();
    await keyboard.expectAt("textbox", "New Password");
    await shoot(page, "11-reset", ALL);
    await keyboard.write("New Password", NEW_PASSWORD);
    await keyboard.write("Confirm New Password", NEW_PASSWORD);
    const told = whenTold(page);
    await keyboard.enter("button", "Set New Password");
    expect(await told).toEqual({
      text: "Password has been reset successfully! Redirecting to login...",
      fields: 0,
    });
    await picture(page, "account-12-reset-done-375-light");
    await page.waitForURL("**/login");
    await expect(page.getByLabel("Email")).toHaveValue(EMAIL);
    await keyboard.expectAt("textbox", "Password");
  });

  await test.step("logs in on the phone, and makes it dark", async () => {
    await logIn(FIRST_PASSWORD);
    await expect(page.getByRole("alert")).toHaveText("Invalid email or password.");
    await logIn(NEW_PASSWORD);
    await page.waitForURL("**/dashboard");
    await expect(page.getByRole("heading", { name: `Welcome, ${NAME}` })).toBeVisible();
    await expect(page.getByText("No recent activity to display.")).toBeVisible();
    await keyboard.expectNotLost("after logging in");
    await keyboard.enter("button", "Switch to dark theme", { backwards: true });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await keyboard.expectAt("button", "Switch to light theme");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");
    await shoot(page, "13-dashboard", ALL);
  });

  await test.step("creates a project", async () => {
    await keyboard.enter("link", "Create New Project");
    await page.waitForURL("**/projects/create");
    await keyboard.expectAt("textbox", "Project Name");
    await press("Enter");
    await expect(page.getByText("Project name is required.")).toBeVisible();
    await shoot(page, "14-create", ENDS);
    await keyboard.write("Project Name", "Herons of the Delta");
    await press("Enter");
    await page.waitForURL("**/general");
    await expect(page.getByText("Start your free month to add screens and publish.")).toBeVisible();
    await keyboard.expectNotLost("in the new project");
    await shoot(page, "15-project", ALL);
  });

  await test.step("starts the free month", async () => {
    await keyboard.enter("button", "Start free month");
    const dialog = page.getByRole("dialog", { name: "Activate Free Starter Month" });
    await expect(dialog).toBeVisible();
    await keyboard.tabTo("button", "Activate Free Starter Month");
    await shoot(page, "16-plans", ALL);
    await press("Enter");
    await expect(page.getByText("The plan is active.")).toBeVisible();
    await expect(dialog).toBeHidden();
    await keyboard.expectNotLost("after the plan was activated");
  });

  await test.step("adds three screens", async () => {
    for (const [index, screen] of SCREENS.entries()) {
      await keyboard.enter("button", "More actions", { backwards: index > 0 });
      await keyboard.expectIn("menu");
      if (index === 0) await keyboard.expectAt("menuitem", "Add a screen");
      await keyboard.tabTo("menuitem", "Add a screen");
      if (index === 0) await shoot(page, "17-more", SMALL);
      await press("Enter");
      await keyboard.expectAt("textbox", "New screen name");
      if (index === 0) {
        await press("Enter");
        await expect(page.getByText("Screen name cannot be empty.")).toBeVisible();
        await page.keyboard.type("Home Page");
        await press("Enter");
        await expect(
          page.getByText("Use only lowercase letters, numbers, underscores. Must start with a letter."),
        ).toBeVisible();
        await shoot(page, "18-add-screen", SMALL);
        await press("Control+A");
      }
      await page.keyboard.type(screen);
      await press("Enter");
      await expect(page.getByText(`Screen "${screen}" added!`)).toBeVisible();
      await page.getByRole("grid", { name: `Texts of ${screen}` }).waitFor({ state: "attached" });
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await keyboard.expectNotLost(`after adding ${screen}`);
    }
    await shoot(page, "19-screens", ALL);
  });

  const listed = () => page.getByRole("combobox", { name: "Part of the project" }).locator("optgroup option");

  await test.step("sorts them from A to Z, and back", async () => {
    await expect(listed()).toHaveText(SCREENS);
    await keyboard.enter("button", "More actions");
    await keyboard.expectIn("menu");
    await keyboard.enter("menuitem", "Sort screens A-Z");
    await expect(listed()).toHaveText(SCREENS.toSorted());
    await keyboard.expectAt("menuitem", "Sort screens by creation");
    await shoot(page, "20-sorted", SMALL);
    await press("Enter");
    await expect(listed()).toHaveText(SCREENS);
    await press("Escape");
    await keyboard.expectAt("button", "More actions");
    // The same list on a large screen.
    await page.setViewportSize(DESKTOP);
    const sidebar = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
    await expect(sidebar).toHaveText(SCREENS);
    await expect(page.getByText("3 / 5 · Free Starter Month")).toBeVisible();
    await keyboard.enter("button", "Sorted by creation. Sort A-Z");
    await expect(sidebar).toHaveText(SCREENS.toSorted());
    await keyboard.expectAt("button", "Sorted A-Z. Sort by creation");
    await shoot(page, "21-sidebar", [
      [1440, "dark"],
      [1440, "light"],
    ]);
    await press("Enter");
    await expect(sidebar).toHaveText(SCREENS);
    await page.setViewportSize(PHONE);
  });

  await test.step("deletes a screen", async () => {
    await keyboard.enter("button", "More actions");
    await keyboard.expectIn("menu");
    await keyboard.expectAt("menuitem", "Copy ID of alerts");
    await press("ArrowDown");
    await keyboard.expectAt("menuitem", "Delete alerts");
    await press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete screen “alerts”?" });
    await expect(dialog).toContainText("All its translations will be removed. This action cannot be undone.");
    await keyboard.expectAt("button", "Cancel");
    await shoot(page, "22-delete", SMALL);
    await press("Enter");
    await expect(dialog).toBeHidden();
    await keyboard.expectAt("button", "More actions");
    await press("Enter");
    await keyboard.enter("menuitem", "Delete alerts");
    await expect(dialog).toBeVisible();
    await keyboard.enter("button", "Delete screen");
    await page.waitForURL("**/general");
    await expect(page.getByText("Screen deleted.")).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(listed()).toHaveText(["profile", "checkout"]);
    // The empty page that follows begins in the field for its first key.
    await keyboard.expectAt("textbox", "Name of the new key");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await shoot(page, "23-deleted", ENDS);
  });

  await test.step("copies the developer key", async () => {
    await keyboard.enter("button", "Menu", { backwards: true });
    await keyboard.tabTo("link", "Settings");
    await shoot(page, "24-menu", SMALL);
    await press("Enter");
    await page.waitForURL("**/settings");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await keyboard.expectNotLost("after the menu closed");
    await expect(page.getByText("lvk_", { exact: false })).toBeVisible();
    await shoot(page, "25-settings", ALL);
    await keyboard.enter("button", "Copy Key");
    await expect(page.getByText("API Key copied!")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^lvk_[A-Za-z0-9]{40}$/);
    await keyboard.expectAt("button", "Copy Key");
    await shoot(page, "26-key", SMALL);
  });

  const deepLink = await page.evaluate(() => {
    const { id } = JSON.parse(localStorage.getItem("currentProjectView") ?? "{}") as { id: string };
    return `/projects/${id}/checkout`;
  });

  await test.step("logs out", async () => {
    await keyboard.enter("button", "Menu", { backwards: true });
    await keyboard.enter("link", "Logout");
    await page.waitForURL("**/login");
    await keyboard.expectAt("textbox", "Email");
    const left = await page.evaluate(() => Object.keys(localStorage));
    expect(left.filter((key) => ["authToken", "user", "currentProjectView"].includes(key))).toEqual([]);
    await shoot(page, "27-logged-out", SMALL);
  });

  await test.step("comes back by a deep link", async () => {
    await page.goto(server.url + deepLink);
    await page.waitForURL("**/login");
    await keyboard.expectAt("textbox", "Email");
    await keyboard.write("Email", EMAIL);
    await logIn(NEW_PASSWORD);
    await page.waitForURL(`**${deepLink}`);
    await expect(page.getByRole("combobox", { name: "Part of the project" })).toHaveValue("checkout");
    await shoot(page, "28-returned", SMALL);
  });
});
