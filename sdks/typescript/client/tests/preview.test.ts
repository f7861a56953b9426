// @vitest-environment jsdom
/** A draft preview on a page: the token of its address, kept for the tab; the badge, and the two ends of it. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPlatform } from "../src/browser.js";
import { createLivery, type LiveryClient, type LiveryOptions } from "../src/index.js";
import { PARTS } from "../src/parts.js";
import { FakePlatform } from "./fake-platform.js";

const KEPT = "livery-preview:prj_test";

let clients: LiveryClient[] = [];

beforeEach(() => {
  clients = [];
  sessionStorage.clear();
  history.replaceState({ app: 1 }, "", "/shop?x=1#top");
});

afterEach(() => {
  for (const client of clients) client.close();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function open(options: Partial<LiveryOptions> = {}, parts = PARTS): { client: LiveryClient; platform: FakePlatform } {
  const platform = Object.assign(new FakePlatform(0.5), { preview: createPlatform().preview, parts });
  const all = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en", ...options };
  const client = createLivery(all, platform);
  clients.push(client);
  return { client, platform };
}

const asked = ({ platform }: { platform: FakePlatform }) => platform.requests[0]?.query.get("preview") ?? null;
const badge = () => document.querySelector("aside");
// The badge's code is loaded when it is needed: that may take longer than the default second.
const LOADED = { timeout: 10_000 };
const badgeShown = () => vi.waitFor(() => expect(badge()?.textContent).toContain("Draft preview"), LOADED);

// spec: preview-7
test("the token of the page's address is taken, kept for the tab, and out of the address", async () => {
  history.replaceState({ app: 1 }, "", "/shop?x=1&livery-preview=lvd_a#top");

  const first = open();
  expect(asked(await settled(first))).toBe("lvd_a");
  await badgeShown();
  expect(location.href).toContain("/shop?x=1#top");
  expect(location.href).not.toContain("lvd_a");
  expect(history.state).toEqual({ app: 1 });
  first.client.close();
  const reloaded = open();

  expect(asked(await settled(reloaded))).toBe("lvd_a");
  expect(reloaded.client.preview).toBe(true);
});

test("a token counts for its project only, and a newer token takes its place", async () => {
  sessionStorage.setItem(KEPT, "lvd_old");

  expect(asked(await settled(open({ projectId: "prj_other" })))).toBeNull();
  history.replaceState(null, "", "/?livery-preview=lvd_new");
  expect(asked(await settled(open()))).toBe("lvd_new");
  await vi.waitFor(() => expect(sessionStorage.getItem(KEPT)).toBe("lvd_new"), LOADED);
});

test.each([
  ["an app that wants no preview", { preview: false as const }],
  ["a client without a network", { connection: "off" as const }],
])("%s shows no draft", async (_, options) => {
  history.replaceState(null, "", "/?livery-preview=lvd_a");

  const page = await settled(open(options));

  expect([page.client.preview, asked(page), badge()]).toEqual([false, null, null]);
});

test("without a token the page has no badge", async () => {
  const page = await settled(open());

  expect([page.client.preview, badge()]).toEqual([false, null]);
});

test("the token stays in the address where the tab can't store it", async () => {
  history.replaceState(null, "", "/?livery-preview=lvd_a");
  const blocked = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });

  open();
  await badgeShown();
  blocked.mockRestore();

  expect(location.search).toBe("?livery-preview=lvd_a");
});

// spec: preview-8
test("the badge shows that the page has the draft, and its button ends the preview for the tab", async () => {
  const page = open({ preview: "lvd_given" });
  await badgeShown();
  expect(badge()?.getAttribute("role")).toBe("status");

  const button = badge()?.querySelector("button");
  expect(button?.getAttribute("aria-label")).toBe("End the draft preview");
  button?.click();

  expect(page.client.preview).toBe(false);
  expect(badge()).toBeNull();
  expect(sessionStorage.getItem(KEPT)).toBeNull();
});

test("a preview that the server ends shows a last notice, and its token is forgotten", async () => {
  const page = open({ preview: "lvd_given" });
  await badgeShown();

  page.platform.serve({ status: 401, text: JSON.stringify({ message: "It has ended.", code: "preview_ended" }) });
  await page.platform.advance(0);

  expect(badge()?.textContent).toBe("The draft preview has ended. This is what is published.Close");
  expect(sessionStorage.getItem(KEPT)).toBeNull();
  badge()?.querySelector("button")?.click();
  expect(badge()).toBeNull();
});

test("an expired link shows that its preview has ended, though the preview ends before its badge is shown", async () => {
  history.replaceState(null, "", "/?livery-preview=lvd_expired");
  const page = open();
  page.client.endPreview();

  await vi.waitFor(() => expect(badge()?.textContent).toContain("The draft preview has ended"), LOADED);

  expect(document.querySelectorAll("aside")).toHaveLength(1);
  expect(sessionStorage.getItem(KEPT)).toBeNull();
});

test("a closed client removes its badge, and the next client of the page shows the draft again", async () => {
  const first = open({ preview: "lvd_given" });
  await badgeShown();

  first.client.close();

  expect(badge()).toBeNull();
  expect(sessionStorage.getItem(KEPT)).toBe("lvd_given");
  open();
  await badgeShown();
});

test("the badge appears once its code can be loaded", async () => {
  const { network, stores, preview } = PARTS;
  let isOffline = true;
  const parts = { network, stores, preview: () => (isOffline ? Promise.reject(new TypeError("offline")) : preview()) };
  const page = open({ preview: "lvd_given" }, parts);
  await page.platform.advance(0);
  expect([badge(), page.platform.warnings]).toEqual([
    null,
    ["[livery] the code for previews was not loaded and is tried again: TypeError: offline"],
  ]);

  isOffline = false;
  await page.platform.advance(1_000);

  await badgeShown();
});

async function settled<Page extends { platform: FakePlatform }>(page: Page): Promise<Page> {
  await page.platform.advance(0);
  return page;
}
