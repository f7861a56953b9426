/** What a browser finds in index.html before the dashboard runs. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const WEB = resolve(import.meta.dirname, "../..");
const inPublic = (href: string) => resolve(WEB, "public", href.slice(1));

/** Width and height of a PNG. */
function sizeOf(path: string): string {
  const bytes = readFileSync(path);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test("the page links its icons and its manifest, and each of them is there", () => {
  const page = new DOMParser().parseFromString(readFileSync(resolve(WEB, "index.html"), "utf8"), "text/html");

  const links = [...page.querySelectorAll("link")].map(({ rel, attributes }) => [
    rel,
    attributes.getNamedItem("href")?.value ?? "",
  ]);
  expect(links.map(([rel]) => rel)).toEqual(["icon", "icon", "apple-touch-icon", "manifest"]);
  for (const [, href = ""] of links) expect(existsSync(inPublic(href)), href).toBe(true);
  expect(sizeOf(inPublic("/apple-touch-icon.png"))).toBe("180x180");
});

test("the icons of the manifest have the sizes that it names", () => {
  const manifest = JSON.parse(readFileSync(inPublic("/manifest.webmanifest"), "utf8")) as {
    icons: { src: string; sizes: string; type: string }[];
  };

  const drawn = manifest.icons.filter(({ type }) => type === "image/png");
  expect(drawn.map(({ src }) => sizeOf(inPublic(src.replace(/^\./, ""))))).toEqual(["192x192", "512x512"]);
  expect(drawn.map(({ sizes }) => sizes)).toEqual(["192x192", "512x512"]);
});
