/**
 * A lead's week: half an hour's work of two people is reviewed, seen on a phone before it is out, and published; the campaign is scheduled
 * for tomorrow at nine, cancelled and scheduled again; on Friday a text turns out to be wrong, and the release before comes back.
 */
import type { APIRequestContext, Page } from "@playwright/test";
import { publish } from "./support/publish.js";
import { expect, type LiveryServer, test } from "./support/server.js";

// A setting of its own makes this a server of its own: other files count the demo's changes.
test.use({ settings: { LIVERY_RATE_LIMITS: "off" }, timezoneId: "Europe/Berlin", actionTimeout: 20_000 });
const WRITER = { name: "Noor Aziz", email: "noor@aurora.example", password: "nine grey herons" };
const TITLE = '[data-key="home.welcome_title"]';

const shotOf = (page: Page, name: string) =>
  page.screenshot({ path: `test-results/walk/publishing-${name}.png`, animations: "disabled" });

/** The dashboard's API as one person. */
class Desk {
  constructor(
    readonly request: APIRequestContext,
    readonly url: string,
    readonly token = "",
  ) {}

  async call<T>(method: string, path: string, data?: unknown): Promise<T> {
    const headers: Record<string, string> = this.token === "" ? {} : { Authorization: `Bearer ${this.token}` };
    const answer = await this.request.fetch(`${this.url}/api/${path}`, { method, headers, ...(data ? { data } : {}) });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as T;
  }

  async logIn({ email, password }: { email: string; password: string }): Promise<Desk> {
    const { token } = await this.call<{ token: string }>("POST", "auth/login", { email, password });
    return new Desk(this.request, this.url, token);
  }
}

async function tokenOf(server: LiveryServer, page: "invite" | "verify-email"): Promise<string> {
  const address = new RegExp(`${server.url}/${page}/([\\w-]+)`);
  let token = "";
  const look = async () => {
    const mail = (await server.mailTo(WRITER.email)).replaceAll(/=\r?\n/g, "");
    token = address.exec(mail)?.[1] ?? "";
    return token;
  };
  await expect.poll(look, { timeout: 20_000 }).not.toBe("");
  return token;
}

/** A colleague who writes; how one joins is the team walk's to show. */
async function joinWriter(lead: Desk, server: LiveryServer, projectId: string): Promise<Desk> {
  const nobody = new Desk(lead.request, lead.url);
  await nobody.call("POST", "auth/register", WRITER);
  await nobody.call("POST", `auth/verify-email/${await tokenOf(server, "verify-email")}`);
  const writer = await nobody.logIn(WRITER);
  await lead.call("POST", `projects/${projectId}/members`, { email: WRITER.email, role: "editor" });
  await writer.call("POST", `invitations/${await tokenOf(server, "invite")}/accept`);
  return writer;
}

async function writeTitle(page: Page, text: string): Promise<void> {
  await page.getByRole("gridcell", { name: /^welcome_title, English/ }).click();
  const editor = page.getByRole("textbox", { name: "welcome_title in English" });
  await editor.fill(text);
  await editor.press("Enter");
}

test("a lead reviews, previews, publishes, schedules, and brings the release before back", async ({
  page,
  browser,
  server,
  greeting,
}) => {
  const [, email = "", password = ""] = /Log in as\s+(\S+)\s+with the password\s+(\S+)/.exec(greeting) ?? [];
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  const lead = await new Desk(page.request, server.url).logIn({ email, password });
  const config = await page.request.get(`${server.url}/storefront/config.json`);
  const { projectId } = (await config.json()) as { projectId: string };
  const writer = await joinWriter(lead, server, projectId);
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL("**/dashboard");
  await page.goto(`${server.url}/projects/${projectId}/home`);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${server.url}/storefront/`);
  await expect(visitor.locator('[data-status="live"]')).toBeVisible();
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true })).newPage();
  const waiting = (count: number) =>
    expect(page.getByRole("button", { name: new RegExp(`^Publish Changes.*${count} change`) })).toBeVisible();

  await test.step("reviews what waits: who changed what, old and new, and what may be wrong", async () => {
    await writeTitle(page, "Summer is closer than you think, {name}");
    const values = { en: "From {price} a night", de: "Jetzt pro Nacht buchen" };
    await writer.call("PUT", `translations/${projectId}/home/price_from`, { key: "price_from", values });
    await waiting(2);
    await page.getByRole("button", { name: /^Publish Changes/ }).click();
    const review = page.getByRole("dialog", { name: "Publish Changes" });
    await expect(review.getByText(/^Noor Aziz/)).toBeVisible();
    await expect(review).toContainText("Summer is closer than you think");
    await expect(review.getByRole("region", { name: "Warnings" })).toContainText("price_from");
    await shotOf(page, "1-review");
    await page.keyboard.press("Escape");
    await expect(review).toBeHidden();
  });

  await test.step("sees it on a phone before anybody else does", async () => {
    await page.getByRole("button", { name: "Preview draft" }).click();
    const dialog = page.getByRole("dialog", { name: "Preview draft" });
    await dialog.getByLabel("Your app's address").fill(`${server.url}/storefront/`);
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const link = (await dialog.getByRole("link", { name: "Open the app" }).getAttribute("href")) ?? "";
    await shotOf(page, "2-link");
    await page.keyboard.press("Escape");
    await phone.goto(link);
    await expect(phone.locator(TITLE).first()).toHaveText("Summer is closer than you think, Mira");
    const values = { de: "Ab {price} pro Nacht" };
    await writer.call("PUT", `translations/${projectId}/home/price_from`, { key: "price_from", values });
    await writeTitle(page, "Summer is nearer than you think, {name}");
    await expect(phone.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
    await shotOf(phone, "3-phone");
    await expect(visitor.locator(TITLE).first()).toHaveText("Where to next, Mira?");
  });

  await test.step("publishes it, and everybody has it", async () => {
    await publish(page);
    await expect(visitor.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
  });

  await test.step("schedules the campaign for tomorrow at nine, cancels it, and schedules it again", async () => {
    await writeTitle(page, "Twenty percent off, {name}, this week only");
    await waiting(1);
    const dialog = page.getByRole("dialog", { name: "Manage Scheduled Publishes" });
    const chip = page.getByRole("button", { name: /^Publishes .*09:00 \(Europe\/Berlin\)$/ });
    const schedule = async () => {
      await page.getByRole("button", { name: "Schedule Publish" }).click();
      await expect(dialog.getByLabel(/^Publish time/)).toHaveValue("09:00");
      await shotOf(page, "4-schedule");
      await dialog.getByRole("button", { name: "Schedule Publish" }).click();
      await expect(page.getByText("Publish scheduled successfully!").last()).toBeVisible();
      await expect(dialog).toBeHidden();
    };
    await schedule();
    await shotOf(page, "5-scheduled");
    await chip.click();
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog", { name: "Cancel this scheduled publish?" }).getByText("Cancel publish").click();
    await expect(page.getByText("Scheduled publish cancelled.")).toBeVisible();
    await expect(chip).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await schedule();
    await expect(chip).toBeVisible();
    const [pending] = await lead.call<{ publishAt: string; status: string }[]>("GET", `schedule/project/${projectId}`);
    expect(pending?.status).toBe("pending");
    await expect(visitor.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
  });

  await test.step("finds on Friday that a text is wrong, compares, and restores the release before", async () => {
    await publish(page);
    await expect(visitor.locator(TITLE).first()).toHaveText("Twenty percent off, Mira, this week only");
    await page.getByRole("link", { name: "Releases", exact: true }).click();
    const list = page.getByRole("navigation", { name: "Releases, newest first" });
    await expect(list.getByRole("link")).toHaveCount(3);
    const live = page.getByRole("article", { name: "Release 3" });
    await expect(live).toContainText("Twenty percent off");
    await live.getByLabel("Compare with").selectOption("1");
    await expect(live).toContainText("From release 1 to release 3: 2 changes.");
    await shotOf(page, "6-compare");
    await list.getByRole("link", { name: /^Release 2\b/ }).press("Enter");
    await page
      .getByRole("article", { name: "Release 2" })
      .getByRole("button", { name: "Restore this release" })
      .press("Enter");
    const question = page.getByRole("dialog", { name: "Restore release 2?" });
    await expect(question).toContainText("Summer is nearer");
    await shotOf(page, "7-restore");
    await question.getByRole("button", { name: "Restore release 2" }).click();
    await expect(visitor.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
    await expect(list.getByRole("link", { name: /^Release 4\b/ })).toContainText("Restored release 2");
    await shotOf(page, "8-restored");
    await expect(phone.locator(TITLE).first()).toHaveText("Summer is nearer than you think, Mira");
  });
  expect(problems).toEqual([]);
});
