/** The values in real components: what runs again, what does not, and hydration. */

import { flushSync, hydrate, mount, unmount } from "svelte";
import { afterEach, expect, inject, test, vi } from "vitest";
import { type Connected, first, goLive, newer, release, serveProduct, setUp } from "../../client/tests/bindings.js";
import App from "./App.svelte";
import Effects from "./Effects.svelte";
import Page from "./Page.svelte";
import Products from "./Products.svelte";

const apps: ReturnType<typeof mount>[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await unmount(app);
});

function show({ client }: Connected, props: object): HTMLElement {
  const target = document.createElement("div");
  apps.push(mount(App, { target, props: { client, ...props } }));
  flushSync();
  return target;
}

async function settled(step: Promise<unknown>): Promise<void> {
  await step;
  flushSync();
}

test("a release changes the text on the page", async () => {
  const set = setUp();
  const page = show(set, { Shown: Page });
  expect(page.textContent).toBe("Hello Ada Other #010101 en fallback");

  await settled(goLive(set));
  await settled(
    release(set, 1, { texts: { home: { title: "Welcome {name}", other: "A b" } }, colors: { primary: "#020202" } }),
  );

  expect(page.textContent).toBe("Welcome Ada Ab #020202 en live");
});

test("an effect runs again only when what it reads has changed", async () => {
  const set = setUp();
  const runs: string[] = [];
  show(set, { Shown: Effects, report: (name: string) => runs.push(name) });
  await settled(goLive(set));
  runs.length = 0;

  await settled(release(set, 1, { texts: { home: { other: "Changed" } } }));
  expect(runs).toEqual(["t"]);

  await settled(release(set, 2, { colors: { primary: "#020202" } }));
  expect(runs).toEqual(["t", "color", "colors"]);
});

test("a language switch shows in texts, language and direction", async () => {
  const set = setUp();
  const seen: unknown[] = [];
  const page = show(set, { Shown: Page });
  show(set, { Shown: Effects, report: (name: string, value: unknown) => name === "language" && seen.push(value) });
  await settled(goLive(set));

  const arabic = { ...first, language: "ar", texts: { home: { title: "مرحبا", other: "آخر" } } };
  void set.client.setLanguage("ar");
  flushSync();
  set.platform.serve({ status: 200, text: JSON.stringify(arabic) });
  await settled(set.platform.advance(0));

  expect(page.querySelector("h1")?.outerHTML).toBe('<h1 dir="rtl">مرحبا</h1>');
  expect(seen).toEqual(["en en", "en ar", "ar ar"]);
});

test.each([
  ["what the server rendered, then the client's newer content", structuredClone(first), "Other"],
  ["the client's content where it is not given the server's", undefined, "A b"],
])("hydration reads %s", (_, serverContent, read) => {
  const target = document.createElement("div");
  target.innerHTML = inject("markup");
  const title = target.querySelector("h1");
  expect(target.textContent).toContain("Hello Ada Other #010101 en cached");
  const fallback = { ...newer, texts: { home: { title: "Newer {name}", other: "A b" } } };
  const { client } = setUp({ connection: "off", fallback });
  const report = vi.fn();

  apps.push(hydrate(App, { target, props: { client, serverContent, Shown: Page, report } }));
  flushSync();

  expect(report.mock.calls).toEqual([[read]]);
  expect(target.textContent).toBe("Newer Ada Ab #010101 en fallback");
  expect(target.querySelector("h1")).toBe(title);
});

test("a store's items load and follow its releases, until the component is gone", async () => {
  const content = { ...first, stores: { products: "h1" } };
  const set = setUp({ fallback: content });
  const page = show(set, { Shown: Products });
  expect(page.textContent).toBe("loading");
  await settled(goLive(set, content));
  await settled(serveProduct(set, "e1.1", "h1", "Tea"));
  expect(page.textContent).toBe("Tea");

  await settled(release(set, 1, { stores: { products: "h2" } }, 2_000));
  await settled(serveProduct(set, "e1.2", "h2", "Coffee"));
  expect(page.textContent).toBe("Coffee");

  await settled(unmount(apps.pop() as object));
  await settled(release(set, 2, { stores: { products: "h3" } }, 2_000));
  expect(set.platform.requests.filter((request) => request.kind === "store")).toHaveLength(2);
});

test("a component without setLivery above gets an error that names it", () => {
  const target = document.createElement("div");

  expect(() => mount(Page, { target })).toThrow("setLivery(client)");
});
