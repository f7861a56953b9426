/** The composables in real apps: what renders again, what does not, and hydration. */

import { afterEach, expect, test, vi } from "vitest";
import { type App, type Component, createApp, createSSRApp, defineComponent, h, nextTick } from "vue";
import { renderToString } from "vue/server-renderer";
import { type Connected, first, goLive, newer, release, serveProduct, setUp } from "../../client/tests/bindings.js";
import {
  type LiveryPluginOptions,
  liveryPlugin,
  useColor,
  useColors,
  useImage,
  useLanguage,
  useLivery,
  useLiveryState,
  useStore,
  useT,
  useText,
} from "../src/index.js";

const apps: App[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.unmount();
});

function mount({ client }: Connected, root: Component): HTMLElement {
  const container = document.createElement("div");
  const app = createApp(root).use(liveryPlugin(client));
  apps.push(app);
  app.mount(container);
  return container;
}

const component = (setup: () => () => string) => defineComponent({ setup: () => setup() });

const Page = component(() => {
  const t = useT();
  const color = useColor("primary");
  const title = useText("home.title", () => ({ name: "Ada" }));
  const state = useLiveryState();
  return () => [title.value, t("home.other"), color.value, state.value].join(" · ");
});

test("a release changes the text on the page", async () => {
  const set = setUp();
  const page = mount(set, Page);
  expect(page.textContent).toBe("Hello Ada · Other · #010101 · fallback");

  await goLive(set);
  await release(set, 1, { texts: { home: { title: "Welcome {name}" } }, colors: { primary: "#020202" } });

  expect(page.textContent).toBe("Welcome Ada · Other · #020202 · live");
});

test("a component renders again only when what it reads has changed", async () => {
  const set = setUp();
  const renders: Record<string, number> = {};
  const counted = (name: string, setup: () => () => unknown) =>
    component(() => {
      const read = setup();
      return () => {
        renders[name] = (renders[name] ?? 0) + 1;
        return String(read());
      };
    });
  const components = [
    counted("t", () => {
      const t = useT();
      return () => t("home.other");
    }),
    counted("text", () => {
      const title = useText("home.title");
      return () => title.value;
    }),
    counted("color", () => {
      const color = useColor("primary", "#ffffff");
      return () => color.value;
    }),
    counted("colors", () => {
      const colors = useColors();
      return () => Object.keys(colors.value);
    }),
    counted("image", () => {
      const image = useImage("logo");
      return () => image.value?.url;
    }),
    counted("language", () => {
      const { language } = useLanguage();
      return () => language.value;
    }),
    counted("client", () => {
      const client = useLivery();
      return () => client === set.client;
    }),
  ];
  mount(set, () => components.map((one) => h(one)));
  await goLive(set);
  const before = { ...renders };
  const since = () => Object.keys(renders).filter((name) => renders[name] !== before[name]);

  await release(set, 1, { texts: { home: { other: "Changed" } } });
  expect(since()).toEqual(["t"]);

  await release(set, 2, { colors: { primary: "#020202" } });
  expect(since()).toEqual(["t", "color", "colors"]);
});

test("a language switch shows in texts, language and direction together", async () => {
  const set = setUp();
  const seen = new Set<string>();
  const Reporter = component(() => {
    const t = useT();
    const { language, requestedLanguage, languages, direction } = useLanguage();
    return () => {
      seen.add([t("home.other"), language.value, direction.value, languages.value].join(" "));
      return requestedLanguage.value;
    };
  });
  const page = mount(set, Reporter);
  await goLive(set);

  const arabic = { ...first, language: "ar", texts: { home: { title: "مرحبا", other: "آخر" } } };
  void set.client.setLanguage("ar");
  await nextTick();
  expect(page.textContent).toBe("ar");
  set.platform.serve({ status: 200, text: JSON.stringify(arabic) });
  await set.platform.advance(0);

  expect([...seen]).toEqual(["Other en ltr en,ar", "آخر ar rtl en,ar"]);
});

async function hydrated(options: (content: typeof first) => LiveryPluginOptions): Promise<[string, string[]]> {
  const server = setUp({ connection: "off" }).client;
  const content = server.snapshot as typeof first;
  const markup = await renderToString(createSSRApp(Page).use(liveryPlugin(server, options(content))));
  expect(markup).toContain("Hello Ada · Other · #010101");
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const container = document.createElement("div");
  container.innerHTML = markup;
  const browser = setUp({ connection: "off", fallback: newer }).client;
  const app = createSSRApp(Page).use(liveryPlugin(browser, options(JSON.parse(JSON.stringify(content)))));
  apps.push(app);
  app.mount(container);
  await nextTick();
  const complaints = [...warnings.mock.calls, ...errors.mock.calls].map(([text]) => String(text));
  warnings.mockRestore();
  errors.mockRestore();
  return [container.textContent ?? "", complaints];
}

test("hydration renders what the server rendered, then the client's newer content is shown", async () => {
  expect(await hydrated((serverContent) => ({ serverContent }))).toEqual(["Newer Ada · New · #010101 · fallback", []]);
});

test("without the server's content, Vue finds that the markup does not match", async () => {
  const [, complaints] = await hydrated(() => ({}));

  expect(complaints.join()).toContain("Hydration");
});

test("a store's items load and follow its releases, until the component is gone", async () => {
  const content = { ...first, stores: { products: "h1" } };
  const set = setUp({ fallback: content });
  const page = mount(
    set,
    component(() => {
      const items = useStore("products");
      return () => items.value?.map((item) => String(item.title)).join() ?? "loading";
    }),
  );
  expect(page.textContent).toBe("loading");
  await goLive(set, content);
  await serveProduct(set, "e1.1", "h1", "Tea");
  expect(page.textContent).toBe("Tea");

  await release(set, 1, { stores: { products: "h2" } }, 2_000);
  await serveProduct(set, "e1.2", "h2", "Coffee");
  expect(page.textContent).toBe("Coffee");

  apps.pop()?.unmount();
  await release(set, 2, { stores: { products: "h3" } }, 2_000);
  expect(set.platform.requests.filter((request) => request.kind === "store")).toHaveLength(2);
});

test("an app that was unmounted follows the client no longer", async () => {
  const set = setUp();
  const page = mount(set, Page);
  apps.pop()?.unmount();
  const read = vi.spyOn(set.client, "colors");

  await goLive(set);
  await release(set, 1, { colors: { primary: "#020202" } });

  expect(page.textContent).toBe("");
  expect(read).not.toHaveBeenCalled();
});

test("an app without the plugin gets an error that names it", () => {
  const silent = vi.spyOn(console, "warn").mockImplementation(() => {});

  expect(() => createApp(Page).mount(document.createElement("div"))).toThrow("app.use(liveryPlugin(livery))");

  silent.mockRestore();
});
