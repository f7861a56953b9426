/** A team: from the first invitation to the day the founder leaves, each person in a browser of their own. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createLivery } from "@livery/client";
import type { Browser, Page } from "@playwright/test";
import { picture } from "./support/pictures.js";
import { expect, type LiveryServer, test } from "./support/server.js";

const ROOT = resolve(import.meta.dirname, "../..");
const PASSWORD = "nine grey herons";
const OWNER = { name: "Mara Lindt", email: "mara@herons.example" };
const WRITER = { name: "Noor Aziz", email: "noor@herons.example" };
const REVIEWER = { name: "Lin Okafor", email: "lin@herons.example" };
type Person = typeof OWNER;

test.use({ actionTimeout: 60_000, navigationTimeout: 60_000 });
const shotOf = (page: Page, name: string) => picture(page, `team-${name}`);

/** The address of this page that a mail to the person leads to, once there is such a mail; of several mails the newest. */
async function linkTo(server: LiveryServer, { email }: Person, page: "invite" | "verify-email"): Promise<string> {
  const address = new RegExp(`${server.url}/${page}/[\\w-]+`);
  let link = "";
  await expect
    .poll(
      async () => {
        const mail = await server.mailTo(email);
        [link = ""] = address.exec(mail.replaceAll(/=\r?\n/g, "")) ?? [];
        return link;
      },
      { message: `a mail to ${email} that leads to /${page}`, timeout: 30_000 },
    )
    .not.toBe("");
  return link;
}

/** An account that was there before: what it takes is the account walk's to show. */
async function haveAccount(page: Page, server: LiveryServer, person: Person): Promise<void> {
  const answer = await page.request.post(`${server.url}/api/auth/register`, {
    data: { ...person, password: PASSWORD },
  });
  expect(answer.status()).toBe(201);
  const token = (await linkTo(server, person, "verify-email")).split("/").at(-1) ?? "";
  expect((await page.request.post(`${server.url}/api/auth/verify-email/${token}`)).ok()).toBe(true);
}

async function logIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

async function inBrowserOfOwn(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
}

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function invite(page: Page, person: Person, role: "Editor" | "Viewer"): Promise<void> {
  await panel(page, "Team members").getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite member" });
  await dialog.getByLabel("Email").fill(person.email);
  await expect(dialog.getByRole("radio", { name: "Editor" })).toBeChecked();
  await dialog.getByRole("radio", { name: role }).check();
  await shotOf(page, `invite-${role.toLowerCase()}`);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(dialog).toBeHidden();
}

async function addLanguage(page: Page, name: string): Promise<void> {
  await panel(page, "Languages").getByRole("button", { name: "Add language" }).click();
  const dialog = page.getByRole("dialog", { name: "Add language" });
  await dialog.getByRole("combobox", { name: "Language" }).fill(name);
  await expect(dialog.getByRole("option", { selected: true })).toContainText(name);
  await shotOf(page, `add-${name.toLowerCase()}`);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: `Add ${name}` })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(panel(page, "Languages").getByText(name, { exact: true })).toBeVisible();
}

// spec: usage-8, lang-2, members-3, members-4, members-15, invite-2, invite-3, keys-2, danger-1, activation-6
test("an owner gathers a team, grows the plan, hands the project over, and leaves", async ({
  page,
  browser,
  server,
  greeting,
}) => {
  expect(greeting).toContain("Mails are written to");
  await haveAccount(page, server, OWNER);
  await haveAccount(page, server, WRITER);
  await promisify(execFile)(join(ROOT, ".venv/bin/livery"), ["admin", "credits", "grant", OWNER.email, "300"], {
    cwd: ROOT,
    env: { ...process.env, LIVERY_DATA_DIR: server.dataDir },
  });
  const members = panel(page, "Team members");
  const usage = panel(page, "Usage and plan limits");
  const keys = panel(page, "API access and secrets");

  await test.step("has a project without a plan, where nobody can be invited", async () => {
    await page.goto(`${server.url}/login`);
    await logIn(page, OWNER);
    await page.getByRole("link", { name: "Create New Project" }).click();
    await page.getByLabel("Project Name").fill("Herons of the Delta");
    await page.getByRole("button", { name: "Create Project" }).click();
    await page.waitForURL("**/general");
    await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Settings" }).click();
    await page.waitForURL("**/projects/*/settings");
    await expect(members.getByText("Activate a plan for this project to manage members.")).toBeVisible();
    await expect(members.getByRole("button", { name: "Invite member" })).toHaveCount(0);
    await shotOf(page, "01-no-plan");
  });

  await test.step("takes Growth for a first month", async () => {
    await members.getByRole("button", { name: "Activate a plan" }).click();
    await page.getByRole("radio", { name: /^Growth Tier/ }).click();
    const dialog = page.getByRole("dialog", { name: "Activate Growth Tier" });
    await expect(dialog.getByText("69 credits", { exact: true })).toBeVisible();
    await shotOf(page, "02-activate");
    await dialog.getByRole("button", { name: "Activate Growth Tier" }).click();
    await expect(page.getByText("The plan is active.")).toBeVisible();
    await expect(members.getByText("1 / 3 seats taken")).toBeVisible();
  });

  await test.step("invites a writer and a reviewer, and sees the seats fill", async () => {
    await invite(page, WRITER, "Editor");
    await expect(members.getByText("2 / 3 seats taken")).toBeVisible();
    await invite(page, REVIEWER, "Viewer");
    await expect(members.getByText("3 / 3 seats taken")).toBeVisible();
    await expect(members.getByText(/^You've reached the user seat limit for your current tier/)).toBeVisible();
    await expect(members.getByText("Pending")).toHaveCount(2);
    await members.scrollIntoViewIfNeeded();
    await shotOf(page, "03-seats-full");
  });

  const writer = await inBrowserOfOwn(browser);
  await test.step("the writer, who has an account, logs in and accepts", async () => {
    await writer.goto(await linkTo(server, WRITER, "invite"));
    await expect(writer.getByRole("heading", { name: "Join Herons of the Delta" })).toBeVisible();
    await expect(writer.getByText(/invites/)).toContainText(`${OWNER.name} invites ${WRITER.email}`);
    await shotOf(writer, "04-invited");
    await writer.getByRole("link", { name: "Log in" }).click();
    await expect(writer.getByLabel("Email")).toHaveValue(WRITER.email);
    await logIn(writer, WRITER);
    await writer.getByRole("button", { name: "Accept" }).click();
    await expect(writer.getByText("You are in Herons of the Delta.")).toBeVisible();
    await writer.waitForURL("**/projects/*/general");
  });

  const reviewer = await inBrowserOfOwn(browser);
  await test.step("the reviewer signs up first, and is in as soon as the email is verified", async () => {
    const link = await linkTo(server, REVIEWER, "invite");
    await reviewer.goto(link);
    await reviewer.getByRole("link", { name: "Sign up" }).click();
    await expect(reviewer.getByLabel("Email")).toHaveValue(REVIEWER.email);
    await reviewer.getByLabel("Full Name").fill(REVIEWER.name);
    await reviewer.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await shotOf(reviewer, "05-sign-up");
    await reviewer.getByRole("button", { name: "Create account" }).click();
    await reviewer.waitForURL("**/login");
    await reviewer.goto(await linkTo(server, REVIEWER, "verify-email"));
    await expect(reviewer.getByRole("heading", { name: "Your email is verified" })).toBeVisible();
    await expect(async () => {
      await reviewer.goto(link);
      await expect(reviewer.getByText("This invitation was used.", { exact: false })).toBeVisible({ timeout: 10_000 });
    }).toPass({ timeout: 90_000 });
    await reviewer.getByRole("link", { name: "Log in" }).click();
    await logIn(reviewer, REVIEWER);
    await reviewer.waitForURL("**/projects/*/general");
    await reviewer.goto(reviewer.url().replace("/general", "/settings"));
    await expect(
      panel(reviewer, "Team members").getByText("Only admins and the owner can manage members."),
    ).toBeVisible();
    await shotOf(reviewer, "06-as-viewer");
  });

  await test.step("raises the writer to admin", async () => {
    await page.reload();
    await expect(members.getByText("Pending")).toHaveCount(0);
    await members.getByRole("button", { name: `Edit the role of ${WRITER.name}` }).click();
    const dialog = page.getByRole("dialog", { name: `Edit the role of ${WRITER.name}` });
    await dialog.getByRole("radio", { name: "Admin" }).check();
    await shotOf(page, "07-raise");
    await dialog.getByRole("button", { name: "Save role" }).click();
    await expect(page.getByText(`${WRITER.name} is an admin now.`)).toBeVisible();
  });

  await test.step("adds Arabic by its English name, and runs out of languages", async () => {
    await addLanguage(page, "Arabic");
    await addLanguage(page, "Swahili");
    const add = panel(page, "Languages").getByRole("button", { name: "Add language" });
    await expect(add).toHaveAttribute("aria-disabled", "true");
    await add.hover();
    await expect(page.getByRole("tooltip")).toHaveText(
      /^You've reached the 3 language limit for the '.+' plan\. Please upgrade to add more languages\.$/,
    );
    await shotOf(page, "08-out-of-languages");
    await page.mouse.move(0, 0);
  });

  await test.step("pays for three months of Growth", async () => {
    await usage.getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog", { name: "Renew Growth Tier" });
    await dialog.getByRole("radio", { name: "3 months" }).click();
    await expect(dialog.getByText("207 credits", { exact: true })).toBeVisible();
    await expect(dialog.getByText(/^Goes on from .+, until .+\.$/)).toBeVisible();
    await shotOf(page, "09-three-months");
    await dialog.getByRole("button", { name: "Renew Growth Tier" }).click();
    await expect(dialog).toBeHidden();
    // 300 were given; 69 and 207 are spent.
    await expect(page.getByText("24 credits")).toBeVisible();
  });

  await test.step("watches the usage move while an app reads", async () => {
    await expect(usage.getByRole("meter", { name: /API interactions/ })).toHaveAttribute("aria-valuetext", /^0 of /);
    const [key = ""] = /lvp_\w{40}/.exec((await keys.textContent()) ?? "") ?? [];
    const [projectId = ""] = /prj_[a-z2-7]{16}/.exec(page.url()) ?? [];
    const app = createLivery({ projectId, key, baseUrl: server.url, language: "en" });
    await expect.poll(() => app.waitForLatest()).toBe(true);
    app.close();
    await expect(usage.getByRole("meter", { name: /API interactions/ })).toHaveAttribute(
      "aria-valuetext",
      /^[1-9]\d* of 750,000/,
      { timeout: 60_000 },
    );
    await usage.scrollIntoViewIfNeeded();
    await shotOf(page, "10-usage");
  });

  await test.step("rotates the secret, which ends the former secret", async () => {
    await keys.getByRole("button", { name: "Show project secret" }).click();
    const shown = async () => (await keys.locator("code", { hasText: /^lvs_/ }).textContent()) ?? "";
    const before = await shown();
    await keys.getByRole("button", { name: "Rotate project secret" }).click();
    await shotOf(page, "11-rotate");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    await expect(page.getByText("This project has a new secret. The old secret is refused.")).toBeVisible();
    await expect.poll(shown).not.toBe(before);
    expect(await shown()).toMatch(/^lvs_\w{40}$/);
    await shotOf(page, "12-rotated");
  });

  await test.step("hands the project over", async () => {
    const danger = panel(page, "Danger zone");
    await danger
      .getByRole("combobox", { name: "New owner" })
      .selectOption({ label: `${WRITER.name} (${WRITER.email})` });
    await danger.getByRole("button", { name: "Transfer" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Offer project" }).click();
    await expect(danger.getByText(`Offered to ${WRITER.name}`)).toBeVisible();
    await shotOf(page, "13-offered");

    await writer.goto(page.url().replace(/#.*/, ""));
    await expect(writer.getByText(`${OWNER.name} offers you this project.`)).toBeVisible();
    await shotOf(writer, "14-offer");
    await writer.getByRole("button", { name: "Accept" }).click();
    await expect(writer.getByText("You are the owner of this project now.")).toBeVisible();
    await expect(
      panel(writer, "Team members").getByRole("listitem").filter({ hasText: WRITER.name }).getByText("Owner"),
    ).toBeVisible();
  });

  await test.step("and leaves", async () => {
    await page.reload();
    await members.getByRole("link", { name: "Leave" }).click();
    const danger = panel(page, "Danger zone");
    await danger.getByRole("button", { name: "Leave project" }).click();
    await shotOf(page, "15-leave");
    await page.getByRole("dialog").getByRole("button", { name: "Leave project" }).click();
    await expect(page.getByText("You left Herons of the Delta.")).toBeVisible();
    await page.waitForURL("**/projects");
    await expect(page.getByText("No projects found. Get started by creating one!")).toBeVisible();
    await shotOf(page, "16-left");

    await writer.reload();
    await expect(panel(writer, "Team members").getByText("2 / 3 seats taken")).toBeVisible();
    await expect(panel(writer, "Team members").getByText(OWNER.name)).toHaveCount(0);
    await shotOf(writer, "17-without-the-founder");
    await writer.goto(`${server.url}/dashboard`);
    await expect(writer.getByText("left the team")).toBeVisible();
    await shotOf(writer, "18-activity");
  });
});
