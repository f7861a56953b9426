/**
 * A developer adopts Livery in an app that has react-i18next and two JSON files. The texts are imported, and three lines put Livery behind the app.
 * A text that is changed in the dashboard then changes in the open app. The commands are those of the quickstart, run by the built command line.
 * The packages are those of the workspace, so no registry is asked.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { publish } from "./support/publish.js";
import { expect, test, WITHOUT_PLANS } from "./support/server.js";

test.use({ settings: WITHOUT_PLANS });

const ROOT = resolve(import.meta.dirname, "../..");
const CLI = join(ROOT, "sdks/typescript/cli/dist/livery-cli.js");
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const run = promisify(execFile);

/** Serves a folder, as the developer's own host would. */
async function serve(folder: string) {
  const host = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://app").pathname;
    const file = join(folder, path === "/" ? "index.html" : path);
    const body = await readFile(file).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" });
    response.end(body);
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  const address = host.address();
  return { host, url: `http://localhost:${typeof address === "object" ? address?.port : 0}` };
}

test("an app with i18next gets live texts with three lines, and a check for its pipeline", async ({
  page,
  context,
  server,
  greeting,
}) => {
  const owner = await Desk.ofOwner(server, greeting);
  const made = await owner.done("POST", "/projects", { name: "Teapots", defaultLanguage: "en" });
  const projectId = String(made["projectId"]);
  await owner.done("POST", `/projects/${projectId}/languages`, { language: "de" });
  const scopes = ["read", "write", "publish"];
  const { token } = await owner.done("POST", `/projects/${projectId}/tokens`, { name: "Walk", scopes });
  // In the tree, so that the app finds the packages of the workspace.
  const app = join(ROOT, "test-results", "adopted-app");
  await rm(app, { recursive: true, force: true });
  await mkdir(app, { recursive: true });
  await cp(join(ROOT, "examples/i18next-shop"), app, {
    recursive: true,
    filter: (path) => !/node_modules|dist/.test(path.slice(ROOT.length + "/examples/i18next-shop".length)),
  });
  const env = { ...process.env, LIVERY_TOKEN: String(token), NO_COLOR: "1" };
  const livery = async (...words: string[]) => (await run(process.execPath, [CLI, ...words], { cwd: app, env })).stdout;
  const fails = async (...words: string[]) => {
    const failure = (await livery(...words).catch((error: unknown) => error)) as { code?: number; stdout?: string };
    expect(failure.code, JSON.stringify(failure)).toBe(1);
    return failure.stdout ?? "";
  };

  await livery("init", "--server", server.url, "--locales", "src/locales/{language}/{namespace}.json");
  const looked = await livery("push", "--dry-run");
  await livery("push");
  await livery("publish", "--wait");
  expect(looked).toContain("10");

  const i18n = join(app, "src/i18n.ts");
  const { publishableKey } = await owner.done("GET", `/projects/${projectId}`);
  const before = await readFile(i18n, "utf8");
  const plugin = `livery({ projectId: "${projectId}", key: "${publishableKey}", baseUrl: "${server.url}" })`;
  const after = before
    .replace("import { initReactI18next }", 'import { livery } from "@livery/i18next";\nimport { initReactI18next }')
    .replace(".use(initReactI18next)", `.use(${plugin})\n  .use(initReactI18next)`);
  await writeFile(i18n, after);
  expect(after.split("\n").length - before.split("\n").length).toBe(2);
  await run(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build"], { cwd: app, env });
  const { host, url } = await serve(join(app, "dist"));

  await page.goto(url);
  await expect(page.getByRole("heading", { name: "Tea & Teapots" })).toBeVisible();
  await expect(page.getByText("Good to see you, Mira!")).toBeVisible();
  await expect(page.getByRole("status")).toHaveText("1 teapot in your cart");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await expect(page.getByRole("status")).toHaveText("2 teapots in your cart");
  await expect(page.getByRole("link", { name: "Write to us" })).toBeVisible();
  await picture(page, "1-app");

  const dashboard = await context.newPage();
  await owner.signIn(dashboard);
  await dashboard.goto(`${server.url}/projects/${projectId}/cart`);
  await dashboard.getByRole("gridcell", { name: /^greeting, English/ }).click();
  const editor = dashboard.getByRole("textbox", { name: "greeting in English" });
  await editor.fill("Welcome back, {name}!");
  await editor.press("Enter");
  await expect(dashboard.getByRole("button", { name: /^Publish Changes.*1 change/ })).toBeVisible(); // the text is saved
  await publish(dashboard);
  await picture(dashboard, "2-dashboard");

  await expect(page.getByText("Welcome back, Mira!")).toBeVisible();
  await expect(page.getByRole("status")).toHaveText("2 teapots in your cart"); // the page was open all the time

  await livery("pull");
  const snapshot = JSON.parse(await readFile(join(app, "livery/en.json"), "utf8")) as { texts: unknown };
  expect(snapshot.texts).toMatchObject({ cart: { greeting: "Welcome back, {name}!" } });
  await livery("check");
  const shop = join(app, "src/shop.tsx");
  await writeFile(shop, (await readFile(shop, "utf8")).replace('t("title")', 't("tittle")'));
  expect(await fails("check")).toContain("tittle");

  // Livery's own `t` has a type for each key and its parameters.
  const whole = join(app, "tsconfig.json");
  const typescript = join(ROOT, "node_modules/typescript/bin/tsc");
  const compileApp = async (change: (text: string) => string) => {
    const text = await readFile(shop, "utf8");
    await writeFile(shop, change(text));
    const failure: unknown = await run(process.execPath, [typescript, "-p", "."], { cwd: app }).catch((error) => error);
    await writeFile(shop, text);
    return (failure as { stdout: string }).stdout;
  };
  const settings = JSON.parse(await readFile(whole, "utf8")) as { include: string[] };
  await writeFile(whole, JSON.stringify({ ...settings, include: [...settings.include, "livery"] }));
  // i18next's `t` has a type for each key by the names of the code.
  expect(await compileApp((text) => text.replace('t("tittle")', 't("title")'))).toBe("");
  expect(await compileApp((text) => text)).toContain("tittle");
  const forgotten = await compileApp((text) => text.replace('"tittle"', '"title"').replace(', { name: "Mira" }', ""));
  expect(forgotten).toContain("name: string | number");

  const checked = join(app, "src/checked.ts");
  const source = (call: string) =>
    `import { createLivery } from "@livery/client";\nexport const text = createLivery({ projectId: "p", key: "k", baseUrl: "https://livery.example.com" }).${call};\n`;
  const compile = async (call: string) => {
    await writeFile(checked, source(call));
    await writeFile(
      join(app, "tsconfig.json"),
      JSON.stringify({ extends: "./tsconfig.base.json", include: ["src/checked.ts", "livery"] }),
    );
    return run(process.execPath, [typescript, "-p", "."], { cwd: app }).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };
  await cp(join(app, "tsconfig.json"), join(app, "tsconfig.base.json"));
  expect(await compile('t("cart.greeting", { name: "Mira" })')).toBe("");
  expect(await compile('t("title")')).toBe("");
  expect(await compile('t("cart.greting", { name: "Mira" })')).toContain("cart.greting");
  expect(await compile('t("cart.greeting")')).toContain("checked.ts");

  await server.kill();
  await page.reload();
  await expect(page.getByText("Welcome back, Mira!")).toBeVisible(); // the device keeps the content
  await server.start();
  host.close();
});
