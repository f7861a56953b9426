/** Texts that try to be code stay texts: on every page of the dashboard, in the review, in the running app. */
import type { BrowserContext, Page } from "@playwright/test";
import { namesOf, payloads } from "./support/payloads.js";
import { expect, test } from "./support/server.js";

/** What a text must never bring about, as it is seen from outside the page. */
function watch(context: BrowserContext, origin: string): string[] {
  const seen: string[] = [];
  context.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && /^(https?|wss?):$/.test(url.protocol)) seen.push(`request: ${url}`);
  });
  context.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) seen.push(`policy: ${message.text()}`);
  });
  context.on("page", (page) => void page.opener().then((opener) => opener && seen.push(`window: ${page.url()}`)));
  return seen;
}

async function expectOnlyText(page: Page, where: string): Promise<void> {
  expect(await page.evaluate(() => "__hit" in window), `${where}: a text ran`).toBe(false);
}

/** Shows every row of a list that draws only what is in view. */
async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate(() => {
    const boxes = [document.scrollingElement, ...document.querySelectorAll("*")];
    return Math.max(...boxes.map((box) => box?.scrollHeight ?? 0));
  });
  await page.mouse.move(800, 500);
  for (let top = 0; top < height; top += 700) {
    await page.mouse.wheel(0, 700);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
}

test("no text of a person runs anywhere", async ({ context, page, server, greeting }) => {
  const [, email = "", password = ""] = /Log in as\s+(\S+)\s+with the password\s+(\S+)/.exec(greeting) ?? [];
  const seen = watch(context, server.url);
  const login = await page.request.post(`${server.url}/api/auth/login`, { data: { email, password } });
  const { token } = (await login.json()) as { token: string };
  const headers = { Authorization: `Bearer ${token}` };
  const config = await page.request.get(`${server.url}/storefront/config.json`);
  const { projectId } = (await config.json()) as { projectId: string };
  const api = async (method: "post" | "put", path: string, data: object) => {
    const answer = await page.request[method](`${server.url}/api${path}`, { data, headers });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  };

  const name = namesOf(100)[2] ?? "";
  await api("put", "/user/me", { name });
  for (const text of namesOf(100).slice(0, 12)) await api("post", "/projects", { name: text, description: text });
  // Two at a time: the grid shows the first two languages side by side.
  for (let number = 0; number < payloads.length; number += 2) {
    const values = { en: payloads[number], de: payloads[number + 1] };
    await api("post", `/translations/${projectId}/general`, { key: `hostile_${number}`, values });
  }
  for (const [number, nickname] of namesOf(60).slice(0, 12).entries()) {
    await api("post", `/colors/${projectId}`, { key: `hostile_${number}`, value: "#112233", nickname });
  }

  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { level: 2, name: `Welcome, ${name}` })).toBeVisible();
  await page.getByText("Recent Activity").waitFor();
  await expectOnlyText(page, "/dashboard");
  for (const [path, shown] of [
    ["projects", namesOf(100)[0] ?? ""],
    ["settings", name],
    [`projects/${projectId}/general`, "hostile_0"],
    [`projects/${projectId}/colors`, "hostile_0"],
  ] as const) {
    await page.goto(`${server.url}/${path}`);
    await page.getByText(shown).first().waitFor();
    await scrollThrough(page);
    await expectOnlyText(page, `/${path}`);
  }

  await page.goto(`${server.url}/projects/${projectId}/general`);
  await page.getByRole("button", { name: /^Publish Changes/ }).click();
  const review = page.getByRole("dialog", { name: "Publish Changes" });
  await review.getByText("hostile_0").first().waitFor();
  await expectOnlyText(page, "the review");
  await review.getByRole("button", { name: /^Publish( \d+ changes?)?$/ }).click();
  await expect(page.getByText("Changes published successfully!")).toBeVisible();

  await page.goto(`${server.url}/storefront/`);
  await expect(page.locator('[data-status="live"]')).toBeVisible();
  await expectOnlyText(page, "the app");
  expect(seen).toEqual([]);
});
