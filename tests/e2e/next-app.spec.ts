/**
 * An app with Next.js and its App Router. The server renders with Livery's content, the browser hydrates it, and a release changes the open page.
 * The packages of Livery come from Livery's server, as those of a developer. Next.js comes from the registry, so this walk is one of the deep tier.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Desk } from "./support/desk.js";
import { expect, freePort, test } from "./support/server.js";

test.use({ freshServer: "next-app" });

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

test("a page of Next.js has the content at once, stays live, and is there without Livery @deep", async ({
  page,
  server,
  greeting,
}) => {
  const owner = await Desk.ofOwner(server, greeting);
  await owner.settleDemo();
  const { publishableKey } = await owner.done("GET", `/projects/${owner.projectId}`);
  const { files } = await owner.done("GET", "/sdk-packages");
  const packages = files as Record<string, string>;
  const app = await mkdtemp(join(tmpdir(), "livery-next-"));
  let host: ChildProcess | undefined;
  try {
    await cp(join(ROOT, "examples/next-shop"), app, { recursive: true });
    const env = {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: "1",
      NEXT_PUBLIC_LIVERY_PROJECT: owner.projectId,
      NEXT_PUBLIC_LIVERY_KEY: String(publishableKey),
      NEXT_PUBLIC_LIVERY_URL: server.url,
    };
    const own = ["client", "react"].map((name) => `${server.url}/sdk/${packages[name]}`);
    await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", ...own], { cwd: app, env });
    await run("npm", ["run", "build"], { cwd: app, env });
    const port = await freePort();
    const address = `http://localhost:${port}`;
    host = spawn(process.execPath, [join(app, "node_modules/next/dist/bin/next"), "start", "-p", String(port)], {
      cwd: app,
      env,
      stdio: "ignore",
    });
    const html = async (path: string) => (await fetch(address + path).catch(() => undefined))?.text();
    await expect.poll(() => html("/en")).toContain("Where to next, Ada?");
    expect(await html("/en")).toMatch(/--livery-primary: #[0-9a-f]{6};/);
    expect(await html("/ar")).toContain('<html lang="ar" dir="rtl">');
    expect(await html("/de")).toContain("<h1>Reisen</h1>");

    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message)); // React reports a text that differs from the server's here
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(`${address}/en`);
    await expect(page.getByText("Where to next, Ada?")).toBeVisible();
    await owner.done("PUT", `/translations/${owner.projectId}/home/welcome_title`, {
      key: "welcome_title",
      values: { en: "Welcome aboard, {name}!" },
    });
    await owner.done("POST", `/translations/${owner.projectId}/publish`);
    await expect(page.getByText("Welcome aboard, Ada!")).toBeVisible();
    expect(faults).toEqual([]);

    // The server's content is at most 10 s old; then it asks again behind a page.
    await expect.poll(() => html("/en")).toContain("Welcome aboard, Ada!");
    await server.kill();
    expect(await html("/en")).toContain("Welcome aboard, Ada!");
    await page.reload();
    await expect(page.getByText("Welcome aboard, Ada!")).toBeVisible();
  } finally {
    host?.kill();
    await rm(app, { recursive: true, force: true });
  }
});
