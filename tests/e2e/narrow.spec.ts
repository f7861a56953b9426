/** Narrow windows cut nothing that is needed, toasts cover no tools, and an address that can't be read has a page. */
import type { Locator } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

test.beforeEach(async ({ page, server, greeting }) => {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  await desk.signIn(page);
  project = `${server.url}/projects/${desk.projectId}`;
  send = (method, path, data) => desk.done(method, path.replace("{id}", desk.projectId), data);
});

let project = "";
let send: (method: string, path: string, data?: object) => Promise<unknown>;

/** How much of a text is not seen, in px. */
const cutOf = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().width - element.getBoundingClientRect().width;
  });

test("at 1024 px the language picker keeps clear of its bar, and a store's State column is whole", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.goto(`${project}/home`);
  const picker = page.getByRole("combobox", { name: "Second language" });
  const meter = page.getByRole("img", { name: /texts are in German/ });
  const name = page.locator("label", { has: picker }).locator("span").first();
  const [words, bar] = [await name.boundingBox(), await meter.boundingBox()];
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(bar?.x ?? 0);
  expect(await cutOf(name)).toBeLessThanOrEqual(0);
  await picture(page, "narrow-languages-1024");

  await page.goto(`${project}/stores/destinations`);
  const state = page.getByRole("cell", { name: "Published", exact: true }).first();
  await state.waitFor();
  const isSeen = await state.evaluate((cell) => {
    const { left, right, top, bottom } = (cell.firstElementChild ?? cell).getBoundingClientRect();
    const isOnTop = (x: number) => cell.contains(document.elementFromPoint(x, (top + bottom) / 2));
    return right <= window.innerWidth && isOnTop(left + 1) && isOnTop(right - 1);
  });
  expect(isSeen).toBe(true);
  await picture(page, "narrow-store-1024");
});

test("a phone shows the whole name of the open part, also with changes to publish", async ({ page }) => {
  await send("PUT", "/colors/{id}/glow", { value: "#0a0b0c" });
  for (const width of [375, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const part of ["releases", "stores", "settings"]) {
      await page.goto(`${project}/${part}`);
      const picker = page.getByRole("combobox", { name: "Part of the project" });
      const name = page.locator("label", { has: picker }).locator("[data-title]");
      await expect(page.getByRole("button", { name: /^Publish Changes.*1 change/ })).toBeVisible();
      expect.soft(await cutOf(name), `${part} at ${width}`).toBeLessThanOrEqual(0);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(overflow, `${part} at ${width} scrolls sideways`).toBeLessThanOrEqual(0);
    }
    await picture(page, `narrow-part-${width}`);
  }
});

test("the list of members shows that there is a fifth", async ({ page }) => {
  const people = ["Demo", "Ada Lovelace", "Jonas Weber", "Mara Lindqvist", "Noor Aziz"].map((name, index) => ({
    user: { _id: `usr_${index}`, name, email: `${index}@example.com` },
    role: index === 0 ? "owner" : "editor",
    status: "active",
    expiresAt: null,
    apiKeyLastUsedAt: null,
  }));
  await page.route("**/members", (route) => route.fulfill({ json: people }));
  await page.goto(`${project}/settings`);
  const list = page.getByRole("region", { name: "Members", exact: true });
  await list.scrollIntoViewIfNeeded();

  const [frame, fifth] = [await list.boundingBox(), await list.getByText("Noor Aziz").boundingBox()];

  expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeGreaterThan((fifth?.y ?? 0) + 10);
  await picture(page, "narrow-members");
});

test("a toast covers no tool of the page", async ({ page }) => {
  for (const width of [1440, 1024, 375]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${project}/home`);
    await page.getByRole("button", { name: "Actions for welcome_title" }).click();
    await page.getByRole("menuitem", { name: "Copy key" }).click();
    const toast = page.locator("[data-rht-toaster] [role=status]").first();
    await expect(toast).toBeVisible();
    await page.waitForTimeout(300);

    const covered = await toast.evaluate((status) => {
      const box = status.parentElement?.getBoundingClientRect() ?? new DOMRect();
      const tools = document.querySelectorAll("header button, main button, main input, main select");
      return [...tools]
        .filter((tool) => tool.closest("[role=gridcell], [role=rowheader]") === null)
        .map((tool) => ({ tool, at: tool.getBoundingClientRect() }))
        .filter(({ at }) => at.width > 1 && at.left < box.right && at.right > box.left)
        .filter(({ at }) => at.top < box.bottom && at.bottom > box.top)
        .map(({ tool }) => tool.ariaLabel ?? tool.textContent);
    });

    expect.soft(covered, `at ${width}`).toEqual([]);
    await picture(page, `narrow-toast-${width}`);
  }
});

test("an address with a broken percent escape shows the page for lost addresses, inside the shell", async ({
  page,
}) => {
  for (const path of ["%E0%A4%A", "stores/%E0%A4%A"]) {
    await page.goto(`${project}/${path}`);
    await expect(page.getByRole("heading", { name: "There is no page at this address" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  }
  await picture(page, "narrow-lost");
});

test("the number on the button that publishes has a contrast of 4.5 in both themes", async ({ page }) => {
  await send("PUT", "/colors/{id}/glow", { value: "#0c0b0a" });
  for (const theme of ["light", "dark"] as const) {
    await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
    await page.goto(`${project}/home`);
    const count = page.getByRole("button", { name: /^Publish Changes.*1 change/ }).getByText("1", { exact: true });
    const contrast = await count.evaluate((digits) => {
      const badge = digits.parentElement ?? digits;
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      if (canvas === null) return 0;
      const drawn = (...colors: string[]) => {
        for (const color of colors) {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
        }
        const channels = [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((value) => value / 255);
        const [red = 0, green = 0, blue = 0] = channels.map((value) =>
          value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const button = badge.closest("button") ?? badge;
      const behind = drawn(getComputedStyle(button).backgroundColor, getComputedStyle(badge).backgroundColor);
      const ink = drawn(getComputedStyle(badge).color);
      return (Math.max(behind, ink) + 0.05) / (Math.min(behind, ink) + 0.05);
    });
    expect.soft(contrast, theme).toBeGreaterThanOrEqual(4.5);
  }
});
