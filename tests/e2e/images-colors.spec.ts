/**
 * The images and colours of a project, on the built product. The delivery API shows that an image is live at once, and a colour after
 * publishing. Files come by the picker, by drop and by paste. The history leads back.
 */
import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { png } from "./support/png.js";
import { expect, type LiveryServer, test, WITHOUT_PLANS } from "./support/server.js";

test.use({ settings: WITHOUT_PLANS });

interface Content {
  release: number;
  colors: Record<string, string>;
  images?: Record<string, { url: string; width: number; height: number; thumbhash: string }>;
}

/** Signs the demo's owner in; `content` is what its apps get now. */
async function signIn(page: Page, server: LiveryServer, greeting: string) {
  const desk = await Desk.ofOwner(server, greeting);
  await desk.settleDemo();
  await desk.signIn(page);
  const config = await (await page.request.get(`${server.url}/storefront/config.json`)).json();
  const { projectId, apiKey, key = apiKey, publishableKey = key } = config as Record<string, string>;
  const content = async (): Promise<Content> => {
    const headers = { Authorization: `Bearer ${publishableKey}` };
    const read = await page.request.get(`${server.url}/sdk/v1/${projectId}/content?lang=en`, { headers });
    expect(read.ok(), await read.text()).toBe(true);
    return (await read.json()) as Content;
  };
  return { projectId, content };
}

/** As a drop or a paste from another program would. */
const give = (page: Page, how: "drop" | "paste", name: string, bytes: Buffer) =>
  page.evaluate(
    ([way, file, base64]) => {
      const transfer = new DataTransfer();
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([data], file, { type: "image/png" }));
      if (way === "paste") {
        window.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
        return;
      }
      const say = (event: string, target: Element) =>
        target.dispatchEvent(new DragEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      say("dragenter", document.body);
      // What is under the pointer once the page has answered takes the drop.
      const drop = () => {
        if (document.body.textContent?.includes("Drop the image anywhere") !== true) {
          requestAnimationFrame(drop);
          return;
        }
        const under = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2) ?? document.body;
        say("dragover", under);
        say("drop", under);
      };
      drop();
    },
    [how, name, bytes.toString("base64")] as const,
  );

// spec: image-7, image-30
test("an image is live at once, by picker, drop and paste, replaced and deleted", async ({
  page,
  server,
  greeting,
}) => {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const { projectId, content } = await signIn(page, server, greeting);
  // The server answers the person who changed it, and then informs apps.
  const live = async (key: string) => (await content()).images?.[key];
  const before = (await content()).release;
  await page.goto(`${server.url}/projects/${projectId}/images`);

  await page.getByRole("button", { name: "Upload Image" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Image file").setInputFiles({
    name: "Brand Logo.png",
    mimeType: "image/png",
    buffer: png(120, 60, [200, 55, 28]),
  });
  await expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveValue("brand_logo");
  await expect(dialog.getByText("120 × 60")).toBeVisible();
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText('Image "brand_logo" uploaded successfully!')).toBeVisible();
  const shown = page.getByRole("img", { name: "brand_logo" });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120);
  await expect.poll(() => live("brand_logo")).toMatchObject({ width: 120, height: 60 });
  const first = await live("brand_logo");
  expect((await content()).release).toBe(before + 1);
  await expect(dialog).toBeHidden();

  await give(page, "drop", "dropped.png", png(40, 40, [11, 93, 94]));
  await expect(dialog.getByRole("textbox", { name: "Image Key" })).toHaveValue("dropped");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("button", { name: "Edit dropped" })).toBeVisible();
  await expect(dialog).toBeHidden();
  await give(page, "paste", "image.png", png(30, 30, [240, 160, 75]));
  await dialog.getByRole("textbox", { name: "Image Key" }).fill("pasted");
  await dialog.getByRole("textbox", { name: "Image Key" }).press("Enter");
  await expect(page.getByRole("button", { name: "Edit pasted" })).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.getByRole("button", { name: "Copy URL of brand_logo" }).click();
  await expect(page.getByText("URL copied to clipboard!")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${server.url}/media/${projectId}/brand_logo`);

  await page.getByRole("button", { name: "Edit brand_logo" }).click();
  await dialog.getByRole("button", { name: "Replace image" }).click();
  await dialog.getByLabel("Image file").setInputFiles({
    name: "other.png",
    mimeType: "image/png",
    buffer: png(90, 90, [29, 122, 79]),
  });
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText('Image "brand_logo" updated successfully!')).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(90);
  await expect.poll(() => live("brand_logo")).toMatchObject({ width: 90, height: 90 });
  expect((await live("brand_logo"))?.url).not.toBe(first?.url);
  await picture(page, "images");

  await page.getByRole("button", { name: "Delete brand_logo" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText('Image "brand_logo" deleted successfully.')).toBeVisible();
  await expect.poll(() => live("brand_logo")).toBeUndefined();
  expect(problems).toEqual([]);
});

// spec: color-11
test("a colour is published and comes back from the history", async ({ page, server, greeting }) => {
  const { projectId, content } = await signIn(page, server, greeting);
  const former = (await content()).colors["primary"];
  await page.goto(`${server.url}/projects/${projectId}/colors`);

  await page.getByRole("button", { name: "Edit primary" }).click();
  const form = page.getByRole("form", { name: "Edit primary" });
  await form.getByRole("button", { name: "Choose the colour" }).click();
  await page.getByRole("slider", { name: "Hue" }).press("ArrowRight");
  await page.keyboard.press("Escape");
  await expect(form.getByRole("textbox", { name: "Hex value" })).not.toHaveValue(former ?? "");
  await form.getByRole("textbox", { name: "Hex value" }).fill("#C8371C");
  await form.getByRole("textbox", { name: "Hex value" }).press("Enter");
  await expect(page.getByText("Changed", { exact: true })).toBeVisible();
  expect((await content()).colors["primary"]).toBe(former);
  await page.getByRole("button", { name: /^Publish Changes/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Publish/ })
    .last()
    .click();
  await expect.poll(async () => (await content()).colors["primary"]).toBe("#c8371c");

  await page.getByRole("button", { name: "History" }).click();
  const panel = page.getByRole("dialog", { name: "History of the colours" });
  await panel.getByText("Version 1", { exact: true }).click();
  await expect(panel.getByText("Rolling back changes 1 colour of the draft.")).toBeVisible();
  await picture(page, "colour-history");
  await panel.getByRole("button", { name: "Roll back", exact: true }).click();
  await page
    .getByRole("dialog", { name: /^Roll back to version 1/ })
    .getByRole("button", { name: "Roll back" })
    .click();
  await expect(page.getByRole("list", { name: "Colours" }).getByText(former ?? "")).toBeVisible();
  expect((await content()).colors["primary"]).toBe("#c8371c");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("list", { name: "Colours" }).getByText("#c8371c")).toBeVisible();
});
