/**
 * Every secret of this world is known and different from all other texts. After a whole visit, the test searches for each secret in all that was
 * sent, answered, shown in the terminal, mailed and kept. A secret may be where the table shows, and nowhere else.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { publish } from "./support/publish.js";
import { Recorder } from "./support/recorder.js";
import { expect, type LiveryServer, test } from "./support/server.js";
import { codeOf } from "./support/totp.js";

const SECRET_KEY = "canary-of-the-server-0123456789abcdef";
const EMAIL = "canary@example.com";
const OTHER_EMAIL = "somebody@example.com";
const FIRST_PASSWORD = "canary password one";
const WRONG_PASSWORD = "canary password wrong";
const NEW_PASSWORD = "canary password two";
/** Shown in the sidebar, in activity and in mails: nothing of it may ever be loaded. */
const NAME = 'Noor <img src="https://canary.invalid/name.png">';
const STATIC = resolve(import.meta.dirname, "../../livery/static/dashboard");

// A trace would be one more place for secrets.
test.use({ trace: "off" });
test.use({ freshServer: "canary", settings: { LIVERY_SECRET_KEY: SECRET_KEY, LIVERY_LOG_LEVEL: "debug" } });

/** A link is in its mail, and in the address of the page that it opens. */
const MAIL_LINK = ["address", "mail"];
const PROJECT_ANSWERS = [
  "GET /api/projects/{projectId} answer",
  "POST /api/projects answer",
  "POST /api/projects/assign-credits answer",
  "POST /api/projects/{projectId}/screens answer",
];

/** Where each secret may be, and is. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "server's secret key": [],
  "first password": ["POST /api/auth/register body"],
  "wrong password": ["POST /api/auth/login body", "PUT /api/user/password body"],
  "new password": [
    "POST /api/auth/login body",
    "POST /api/auth/reset-password/{token} body",
    "POST /api/user/second-factors/totp body",
  ],
  "verification token": [...MAIL_LINK, "GET /verify-email/{token} url", "POST /api/auth/verify-email/{token} url"],
  "withdrawal token": [...MAIL_LINK, "GET /verify-email/{token} url", "DELETE /api/auth/verify-email/{token} url"],
  "reset token": [
    ...MAIL_LINK,
    "GET /reset-password/{token} url",
    "POST /api/auth/reset-password/{token} url",
    "window history",
  ],
  "session token": ["POST /api/auth/login answer", "local storage authToken", "request header authorization"],
  "developer key": ["GET /api/user/apikey answer"],
  "secret of the authenticator app": ["POST /api/user/second-factors/totp answer"],
  "recovery code": ["POST /api/user/second-factors/totp/confirm answer"],
  "publishable key": PROJECT_ANSWERS,
  "project secret": PROJECT_ANSWERS,
};

// spec: session-8
test("after a whole visit each secret is where it may be, and nowhere else", async ({ context, server, greeting }) => {
  expect(greeting).not.toContain(SECRET_KEY);
  const recorder = new Recorder(context);
  const page = await context.newPage();
  const tokens = await comeAndVerify(page, recorder, server);
  const resetToken = await forgetAndReset(page, recorder, server);
  await logIn(page, server, NEW_PASSWORD);
  await page.waitForURL("**/dashboard");
  await recorder.keep(page);
  const sessionToken = (await page.evaluate(() => localStorage.getItem("authToken"))) ?? "";
  await publishSomething(page);
  await lookAtSettings(page);
  await recorder.keep(page);

  await page.getByRole("link", { name: "Logout" }).click();
  await page.waitForURL("**/login");
  const keptAfterwards = await recorder.keep(page);
  await recorder.settle();
  await noteTheRest(recorder, server);

  const answer = (place: string) => {
    const found = recorder.notes.findLast((note) => note.place === `${place} answer` && note.text !== "");
    return JSON.parse(found?.text ?? "{}") as Record<string, string>;
  };
  const project = answer("GET /api/projects/{projectId}");
  const secrets: Record<string, string> = {
    "server's secret key": SECRET_KEY,
    "first password": FIRST_PASSWORD,
    "wrong password": WRONG_PASSWORD,
    "new password": NEW_PASSWORD,
    "verification token": tokens.verification,
    "withdrawal token": tokens.withdrawal,
    "reset token": resetToken,
    "session token": sessionToken,
    "developer key": answer("GET /api/user/apikey")["apikey"] ?? "",
    "secret of the authenticator app": answer("POST /api/user/second-factors/totp")["secret"] ?? "",
    "recovery code": answer("POST /api/user/second-factors/totp/confirm")["recoveryCodes"]?.[0] ?? "",
    "publishable key": project["publishableKey"] ?? "",
    "project secret": project["projectSecret"] ?? "",
  };
  expect(Object.keys(secrets)).toEqual(Object.keys(PLACES));
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(15);
    const seen = recorder.notes.filter(({ text }) => shows(text, secret)).map(({ place }) => place);
    expect([...new Set(seen)].toSorted(), name).toEqual([...(PLACES[name] ?? [])].toSorted());
    expect(
      keptAfterwards.filter(({ text }) => shows(text, secret)),
      `${name}, kept after logging out`,
    ).toEqual([]);
  }

  expect([...recorder.origins]).toEqual([server.url]);
  const views = recorder.pageViews.map((body) => (JSON.parse(body) as { path: string }).path);
  expect(views).toEqual(
    expect.arrayContaining(["/reset-password/:token", "/verify-email/:token", "/projects/:projectId/:tabName"]),
  );
  for (const view of views) expect(view).toMatch(/^(\/[a-z:-]+[A-Za-z]*)+$/);
});

// spec: session-8
test("on the page of a reset link, its token leaves in our own call alone", async ({ context, server, greeting }) => {
  expect(greeting).toContain(server.url);
  const token = "canaryTokenOfNobody_0123456789-abcdefghijkl";
  const recorder = new Recorder(context);
  const page = await context.newPage();

  await page.goto(`${server.url}/reset-password/${token}`);
  await page.getByLabel("New Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Confirm New Password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set New Password" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  const terms = context.waitForEvent("page");
  await page.getByRole("link", { name: "Terms" }).click();
  await (await terms).getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("link", { name: "Ask for a new link" }).click();
  await page.waitForURL("**/forgot-password");
  await recorder.keep(page);
  await recorder.settle();

  const sent = recorder.notes.filter(({ place, text }) => place !== "address" && shows(text, token));
  expect(sent.map(({ place }) => place)).toEqual([
    "GET /reset-password/{token} url",
    "POST /api/auth/reset-password/{token} url",
  ]);
  expect(
    recorder.notes
      .filter(({ place }) => place === "request header referer")
      .map(({ text }) => text)
      .join(""),
  ).toBe("");
  expect([...recorder.origins]).toEqual([server.url]);
  expect(recorder.pageViews.map((body) => JSON.parse(body) as unknown)).toContainEqual({
    path: "/reset-password/:token",
  });
  expect(shows(server.output, token)).toBe(false);
});

test("whatever a stranger sends, a line of the terminal stays one line", async ({ request, server, greeting }) => {
  expect(greeting).toContain(server.url);
  const forged = "\r\n12:00:00 [critical ] forged_entry\u2028\u0085forged_entry";
  const before = server.output.length;

  await request.post(`${server.url}/api/auth/register`, {
    data: { name: `Noor${forged}`, email: "crlf@example.com", password: FIRST_PASSWORD },
  });
  await request.post(`${server.url}/api/auth/register`, {
    data: { name: "Noor", email: `crlf${forged}@example.com`, password: FIRST_PASSWORD },
  });
  await request.post(`${server.url}/api/auth/login`, { data: { email: `a${forged}@b.co`, password: FIRST_PASSWORD } });
  await request.get(`${server.url}/api/${encodeURIComponent(forged)}`);
  await request.get(`${server.url}/sdk/v1/${encodeURIComponent(forged)}/content?key=${encodeURIComponent(forged)}`);
  await request.get(`${server.url}/healthz`, {
    headers: { "X-Forwarded-For": "forged_entry", Origin: "forged_entry" },
  });
  await request.post(`${server.url}/api/auth/register`, {
    data: { name: "After", email: "after@example.com", password: FIRST_PASSWORD },
  });
  await server.mailTo("after@example.com");
  await expect.poll(() => server.output.slice(before)).toContain("after@example.com");

  const lines = server.output
    .slice(before)
    .trimEnd()
    .split(/\r\n|[\n\r\u2028\u0085]/);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[\w+ *\] \w+/);
  expect(lines.filter((line) => line.includes("forged_entry"))).toEqual([]);
});

/** Whether a text holds a secret, as it is or as an address or a form writes it. */
function shows(text: string, secret: string): boolean {
  const forms = [
    secret,
    encodeURIComponent(secret),
    secret.replaceAll(" ", "+"),
    Buffer.from(secret).toString("base64"),
  ];
  return forms.some((form) => text.includes(form));
}

async function logIn(page: Page, server: LiveryServer, password: string): Promise<void> {
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

async function register(page: Page, server: LiveryServer, email: string): Promise<void> {
  await page.goto(`${server.url}/register`);
  await page.getByLabel("Full Name").fill(NAME);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(FIRST_PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/login");
}

/** One person verifies; another, who never signed up, takes the sign-up back. */
async function comeAndVerify(page: Page, recorder: Recorder, server: LiveryServer) {
  await register(page, server, EMAIL);
  await recorder.keep(page);
  const link = await server.linkTo(EMAIL, "verify");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Your email is verified" })).toBeVisible();
  await recorder.keep(page);

  await register(page, server, OTHER_EMAIL);
  const mail = (await server.mailTo(OTHER_EMAIL)).replaceAll(/=\r?\n/g, "");
  const withdrawal = /verify-email\/([\w-]+)\?not-me=3D1|verify-email\/([\w-]+)\?not-me=1/.exec(mail);
  const token = withdrawal?.[1] ?? withdrawal?.[2] ?? "";
  await page.goto(`${server.url}/verify-email/${token}?not-me=1`);
  await page.getByRole("button", { name: "Remove the sign-up" }).click();
  await expect(page.getByText("The sign-up was removed.")).toBeVisible();
  await recorder.keep(page);
  return { verification: new URL(link).pathname.split("/")[2] ?? "", withdrawal: token };
}

/** The link is used, and then tried once more. */
async function forgetAndReset(page: Page, recorder: Recorder, server: LiveryServer): Promise<string> {
  await logIn(page, server, WRONG_PASSWORD);
  await expect(page.getByText("Invalid email or password.")).toBeVisible();
  await page.getByRole("link", { name: "Forgot Password?" }).click();
  // The page before it has such a field too.
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByRole("status")).toBeVisible();
  const link = await server.linkTo(EMAIL, "reset");
  for (const role of ["status", "alert"] as const) {
    await page.goto(link);
    await page.getByLabel("New Password", { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel("Confirm New Password").fill(NEW_PASSWORD);
    await recorder.keep(page);
    // The page shows the outcome for a moment only.
    await Promise.all([page.getByRole(role).waitFor(), page.getByRole("button", { name: "Set New Password" }).click()]);
    await recorder.keep(page);
  }
  return new URL(link).pathname.split("/")[2] ?? "";
}

async function publishSomething(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Create New Project" }).click();
  await page.getByLabel("Project Name").fill(NAME);
  await page.getByRole("button", { name: "Create Project" }).click();
  await page.waitForURL("**/general");
  await page.getByRole("button", { name: "Start free month" }).click();
  await page.getByRole("button", { name: "Activate Free Starter Month" }).click();
  await expect(page.getByText("The plan is active.")).toBeVisible();
  await page.getByRole("textbox", { name: "New screen name" }).fill("home");
  await page.getByRole("textbox", { name: "New screen name" }).press("Enter");
  await page.waitForURL("**/home");
  await page.getByRole("grid", { name: "Texts of home" }).waitFor();
  await page.getByRole("textbox", { name: "Name of the new key" }).fill("title");
  await page.getByRole("textbox", { name: "Name of the new key" }).press("Enter");
  const text = page.getByRole("textbox", { name: "English text of the new key" });
  await text.fill("https://canary.invalid/text.png");
  await text.press("Enter");
  await expect(page.getByRole("gridcell", { name: /^title, English/ })).toBeVisible();
  await publish(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Connect your app" }).click();
  await expect(page.getByRole("dialog", { name: "Connect your app" })).toContainText("lvp_");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("gridcell", { name: /^title, English/ })).toBeVisible();
}

async function lookAtSettings(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Show key" }).click();
  await expect(page.getByText(/lvk_\w{40}/)).toBeVisible();
  await page.getByLabel("Current Password").fill(WRONG_PASSWORD);
  await page.getByLabel("New Password", { exact: true }).fill(WRONG_PASSWORD);
  await page.getByLabel("Confirm New Password").fill(WRONG_PASSWORD);
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByLabel("Current Password")).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(NEW_PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await dialog.getByLabel("Code of the app").fill(codeOf(secret, Date.now()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByLabel("I have kept them").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
}

/** What is neither in the browser nor on its way: the terminal, the mails, the data folder and what was built. */
async function noteTheRest(recorder: Recorder, server: LiveryServer): Promise<void> {
  for (const line of server.output.split("\n")) {
    recorder.note(`terminal ${/\] (\w+)/.exec(line)?.[1] ?? "greeting"}`, line);
  }
  for (const { raw } of await server.mails()) recorder.note("mail", raw.replaceAll(/=\r?\n/g, ""));
  for (const [folder, place] of [
    [server.dataDir, "data folder"],
    [STATIC, "bundle"],
  ] as const) {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile() && !entry.name.endsWith(".eml"))) {
      recorder.note(`${place} ${file.name}`, await readFile(join(file.parentPath, file.name), "latin1"));
    }
  }
  // What is not secret can be read there, so that what is would be found.
  const database = recorder.notes.filter(({ place }) => place.startsWith("data folder livery.db"));
  expect(database.filter(({ text }) => text.includes(EMAIL)).length).toBeGreaterThan(0);
  const built = recorder.notes.filter(({ place }) => place.startsWith("bundle"));
  expect(built.filter(({ text }) => /lv[pks]_[A-Za-z0-9]{40}/.test(text))).toEqual([]);
}
