/**
 * The project's header is one line of 60 px from 768 px up, whatever it shows. It may show two colleagues, an AI job, a scheduled publish and
 * unpublished changes. Nothing in it overlaps, its title is whole, and nothing on the page jumps when these arrive.
 */
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, type LiveryServer, test } from "./support/server.js";

const WIDTHS = [768, 1024, 1130, 1280, 1366, 1440, 1920];
const PICTURED = [375, 768, 1024, 1280, 1366, 1440, 1920];
const HEIGHT_PX = 60;
const MOST_SHIFT = 0.02;
const LONG_NAME = "The international travel magazine of Aurora and all of its partners in the north of Europe";

const header = (page: Page) => page.locator("main header").first();
const publish = (page: Page) => page.getByRole("button", { name: /^Publish Changes/ });

/** The owner's page of the screen home, and what makes its header full or empty. */
async function openHome(page: Page, server: LiveryServer, greeting: string) {
  const owner = await Desk.ofOwner(server, greeting);
  await owner.settleDemo();
  const project = `/projects/${owner.projectId}`;
  const people = ["Mara Lindqvist", "Noor Aziz"].map((name) => ({
    name,
    email: `${randomUUID()}@example.com`,
    password: "nine grey herons",
  }));
  const colleagues: Desk[] = [];
  for (const person of people) colleagues.push(await owner.haveEditor(person));

  // The server's own jobs end too soon to be measured.
  let jobs: object[] = [];
  await page.route(`**/api${project}/jobs`, (route) => route.fulfill({ json: { jobs } }));
  await owner.signIn(page);
  await page.goto(`${server.url}${project}/home`);
  await expect(page.getByRole("grid", { name: "Texts of home" })).toBeVisible();

  let away = new AbortController();
  const fill = async () => {
    away = new AbortController();
    for (const { token } of colleagues) follow(`${server.url}/api${project}/events`, token, away.signal);
    jobs = [aJob(owner)];
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await owner.done("POST", `/schedule/project/${owner.projectId}`, { publishAtString: inDays(4) });
    // On another page, so that no row of this page grows.
    await owner.done("PUT", `/colors/${owner.projectId}/glow`, { value: aColor() });
    await expect(page.getByRole("list", { name: "Also here" }).getByRole("listitem")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "AI translations: Translating 64%" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Publishes in 4 days/ })).toBeVisible();
    await expect(publish(page)).toHaveAccessibleName(/1 change/);
  };
  const empty = async () => {
    away.abort();
    jobs = [];
    const schedules = (await owner.done("GET", `/schedule/project/${owner.projectId}`)) as unknown as Schedule[];
    for (const { _id } of schedules.filter(({ status }) => status === "pending"))
      await owner.done("DELETE", `/schedule/${_id}`);
    await owner.settleDemo();
    await expect(page.getByRole("button", { name: /^AI translations/ })).toBeHidden();
    await expect(page.getByRole("list", { name: "Also here" })).toBeHidden();
    await expect(publish(page)).toHaveAccessibleName("Publish Changes");
  };
  const callProject = (name: string) => owner.done("PUT", project, { name });
  const leave = async () => {
    await empty();
    for (const { user } of colleagues)
      await owner.done("DELETE", `${project}/members/${(user as { _id: string })._id}`);
  };
  return { fill, empty, callProject, leave };
}

interface Schedule {
  _id: string;
  status: string;
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000 + 60_000).toISOString();

let colors = 0;
const aColor = () => `#${(++colors).toString(16).padStart(6, "0")}`;

/** Is somewhere in the project until the signal. Reads the stream: Node closes a stream whose response nothing holds any more. */
async function follow(url: string, token: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream" },
      signal,
    });
    for await (const _ of response.body ?? []);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function aJob({ projectId, user }: Desk) {
  return {
    _id: "job_1",
    kind: "translate",
    projectId,
    status: "running",
    language: "de",
    referenceLanguage: "en",
    tabName: "home",
    overwrite: false,
    provider: "pseudo",
    total: 100,
    done: 64,
    failedCount: 0,
    failed: [],
    reason: null,
    startedBy: (user as { _id: string })._id,
    createdAt: new Date().toISOString(),
    finishedAt: null,
  };
}

/** What is wrong with the header once the browser has drawn it twice: the first frame after a change of width measures it. */
function faultsOf(page: Page): Promise<string[]> {
  return header(page).evaluate(async (element, height) => {
    for (let drawn = 0; drawn < 2; drawn += 1) await new Promise(requestAnimationFrame);
    const frame = element.getBoundingClientRect();
    const parts = [...element.querySelectorAll<HTMLElement>("button, li, [data-title]")]
      .map((part) => ({ part, name: part.ariaLabel ?? part.textContent ?? "", box: part.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1);
    const faults = frame.height === height ? [] : [`${frame.height} px high`];
    for (const { name, box } of parts) {
      const isInside = box.left >= frame.left && box.right <= frame.right;
      const isCentred = Math.abs(box.top + box.bottom - frame.top - frame.bottom) <= 3;
      if (!isInside || !isCentred) faults.push(`${name} is not in the line`);
    }
    // The circles of colleagues overlap on purpose.
    const apart = parts.filter(({ part }) => part.tagName !== "LI");
    for (const [index, one] of apart.entries())
      for (const other of apart.slice(index + 1))
        if (one.box.left < other.box.right && other.box.left < one.box.right)
          faults.push(`${one.name} overlaps ${other.name}`);
    const text = document.createRange();
    for (const { part, name, box } of parts.filter(({ part }) => part.dataset["title"] !== undefined)) {
      text.selectNodeContents(part);
      if (text.getBoundingClientRect().width > box.width) faults.push(`${name} is cut`);
    }
    return faults;
  }, HEIGHT_PX);
}

/** Where the head of the grid sticks, from the header's lower edge. */
async function gapBelowHeader(page: Page): Promise<number> {
  await page.evaluate(() => window.scrollTo(0, 300));
  const edges = page.evaluate(() => {
    const bottom = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    const top = document.querySelector('[role="columnheader"]')?.parentElement?.getBoundingClientRect().top ?? 0;
    return top - bottom;
  });
  return edges.finally(() => page.evaluate(() => window.scrollTo(0, 0)));
}

/** Sums up how much the page shifts from now on, once nothing has moved for 20 frames after a change of its width. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(async () => {
    const seen = { shift: 0, count: 0 };
    Object.assign(window, { seen });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.count += 1;
        seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }
    });
    observer.observe({ type: "layout-shift" });
    for (let still = 0, count = 0; still < 20; still += 1) {
      await new Promise(requestAnimationFrame);
      if (seen.count !== count) still = 0;
      count = seen.count;
    }
    seen.shift = 0;
  });
  return () => page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
}

test.use({ contextOptions: {} });

test("the header is one line in every state, at every width, and nothing jumps", async ({ page, server, greeting }) => {
  const home = await openHome(page, server, greeting);

  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    expect.soft(await faultsOf(page), `alone at ${width}`).toEqual([]);
  }
  for (const width of [1130, 768]) {
    await page.setViewportSize({ width, height: 700 });
    const shift = await watchShifts(page);
    await home.fill();
    expect.soft(await shift(), `shift at ${width}`).toBeLessThan(MOST_SHIFT);
    if (width !== 768) await home.empty();
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    expect.soft(await faultsOf(page), `full at ${width}`).toEqual([]);
    if (width > 900) expect.soft(await gapBelowHeader(page), `head of the grid at ${width}`).toBeCloseTo(0, 0);
  }
  for (const theme of ["light", "dark"]) {
    await page.evaluate((chosen) => {
      localStorage.setItem("theme", chosen);
      window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
    }, theme);
    for (const width of PICTURED) {
      await page.setViewportSize({ width, height: 700 });
      await picture(page, `header-${width}-${theme}`);
    }
  }
  await home.callProject(LONG_NAME);
  const name = page.locator("[data-title]").filter({ hasText: LONG_NAME });
  await expect(name).toHaveCount(1);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    const faults = (await faultsOf(page)).filter((fault) => fault !== `${LONG_NAME} is cut`);
    expect.soft(faults, `long name at ${width}`).toEqual([]);
    await picture(page, `header-long-name-${width}`);
  }
  await home.callProject("Aurora Travel");
  await home.leave();
});
