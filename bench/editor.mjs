// Opens a large screen in Chromium and works in it: `node bench/editor.mjs <base url> <project> <screen> <session token>` prints milliseconds as JSON.
import { chromium } from "@playwright/test";

const [base, projectId, screen, token] = process.argv.slice(2);
const REPEATS = 5;
const TYPED = "Wohin geht die nächste Reise, wenn der erste Schnee fällt";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
await context.addInitScript((value) => {
  localStorage.setItem("authToken", value);
  // The longest time from an input to the picture that shows it, as https://web.dev/articles/inp has it.
  globalThis.slowest = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.interactionId) globalThis.slowest = Math.max(globalThis.slowest, entry.duration);
  }).observe({ type: "event", buffered: true, durationThreshold: 16 });
}, token);
const page = await context.newPage();
const url = `${base}/projects/${projectId}`;
const grid = page.getByRole("grid", { name: `Texts of ${screen}` });
const firstRow = grid.getByRole("rowheader").first();
const result = { load: [], open: [], switch_language: [] };

/** What `work` took until the first row is drawn. */
async function timed(work) {
  const start = performance.now();
  await work();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  return Math.round(performance.now() - start);
}

await page.goto(`${url}/${screen}`);
await firstRow.waitFor();
for (let round = 0; round < REPEATS; round += 1) {
  result.load.push(
    await timed(async () => {
      await page.goto(`${url}/${screen}`);
      await firstRow.waitFor();
    }),
  );
  await page.goto(`${url}/general`);
  await page.getByRole("grid", { name: "Texts of general" }).waitFor();
  result.open.push(
    await timed(async () => {
      await page.locator(`a[href="/projects/${projectId}/${screen}"]`).click();
      await firstRow.waitFor();
    }),
  );
}

const options = await page.getByRole("combobox", { name: "Second language" }).locator("option").all();
for (const option of options.slice(1, 1 + REPEATS)) {
  const value = await option.getAttribute("value");
  const name = (await option.textContent()).split(" · ")[0];
  result.switch_language.push(
    await timed(async () => {
      await page.getByRole("combobox", { name: "Second language" }).selectOption(value);
      await page
        .getByRole("gridcell", { name: new RegExp(`, ${name}: `) })
        .first()
        .waitFor();
    }),
  );
}

/** The slowest interaction of `work`, in milliseconds: 8 ms steps, 0 when none took 16. */
async function slowestOf(work) {
  await page.waitForTimeout(300);
  await page.evaluate(() => (globalThis.slowest = 0));
  await work();
  await page.waitForTimeout(300);
  return page.evaluate(() => Math.round(globalThis.slowest));
}

await page.getByRole("combobox", { name: "Second language" }).selectOption("de");
await page
  .getByRole("gridcell", { name: /, German: / })
  .first()
  .click();
const field = page.getByRole("textbox", { name: /in German$/ });
await field.waitFor();
result.slowest_keystroke = await slowestOf(() => page.keyboard.type(TYPED, { delay: 20 }));
result.slowest_save = await slowestOf(() => page.keyboard.press("Enter"));
result.slowest_arrow = await slowestOf(async () => {
  for (let step = 0; step < 40; step += 1) await page.keyboard.press("ArrowDown", { delay: 5 });
});
await page.keyboard.press("Enter");
await field.waitFor();
result.slowest_next_missing = await slowestOf(async () => {
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.type("Neu");
    await page.keyboard.press("Tab");
  }
});
await page.keyboard.press("Escape");
result.slowest_filter = await slowestOf(async () => {
  await page.getByRole("button", { name: /^Missing/ }).click();
  await page.getByRole("button", { name: /^All/ }).click();
});
result.slowest_filter_typed = await slowestOf(async () => {
  await page.getByRole("searchbox", { name: "Filter this screen" }).click();
  await page.keyboard.type("harbour", { delay: 20 });
});
result.rows_drawn = await grid.getByRole("rowheader").count();
await browser.close();
console.log(JSON.stringify(result));
