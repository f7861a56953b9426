// @vitest-environment jsdom
/** The walk of a small react-i18next app with default options: it uses names of two files, and Livery's texts show live. */

import { act, cleanup, render, screen } from "@testing-library/react";
import { createInstance, type InitOptions, type i18n } from "i18next";
import { Suspense } from "react";
import { I18nextProvider, initReactI18next, Trans, useTranslation } from "react-i18next";
import { afterEach, expect, test, vi } from "vitest";
import { type LiveryI18nextOptions, livery } from "../src/index.js";
import { access, LiveryServer } from "./livery-server.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  cleanup();
  for (const end of ends.splice(0).reverse()) await end();
});

const english = {
  cart: {
    title: "Your cart",
    items_left: "{count, plural, one {# item left} other {# items left}}",
    friend: "A friend",
    friend_female: "A girlfriend",
  },
  common: { greeting: "Hello <bold>{name}</bold>, read <more>this</more>", terms: "See <1>the {kind} terms</1>." },
};
const german = {
  cart: { title: "Warenkorb", items_left: "Noch {count}", friend: "Jemand", friend_female: "Freundin" },
  common: { greeting: "Hallo <bold>{name}</bold>, lies <more>das</more>", terms: "Siehe <1>{kind} AGB</1>." },
};

let renders = 0;

function Cart({ count }: { count: number }) {
  const { t } = useTranslation();
  renders++;
  return (
    <main>
      <h1>{t("cart.title")}</h1>
      <p>{t("cart.items-left", { count })}</p>
      <p>{t("cart.friend", { context: "female" })}</p>
    </main>
  );
}

function Greeting({ name }: { name: string }) {
  const { t } = useTranslation("common");
  return (
    <footer>
      <Trans t={t} i18nKey="greeting" values={{ name }} components={{ bold: <b />, more: <em /> }} />
      <address>
        <Trans t={t} i18nKey="terms">
          See <i>the {{ kind: "new" } as never} terms</i>.
        </Trans>
      </address>
    </footer>
  );
}

async function open(
  baseUrl: string,
  init: InitOptions = {},
  options: Partial<LiveryI18nextOptions> = {},
): Promise<{ i18n: i18n; plugin: ReturnType<typeof livery> }> {
  const plugin = livery({ ...access, baseUrl, onWarning: () => {}, ...options });
  ends.push(() => plugin.close());
  const i18n = createInstance();
  const ready = i18n
    .use(initReactI18next)
    .use(plugin)
    .init({
      lng: "en",
      fallbackLng: "en",
      ns: ["translation", "common"],
      interpolation: { escapeValue: false },
      ...init,
    });
  render(
    <I18nextProvider i18n={i18n}>
      <Suspense fallback="loading">
        <Cart count={2} />
        <Greeting name="Ada <3" />
      </Suspense>
    </I18nextProvider>,
  );
  await act(() => ready);
  return { i18n, plugin };
}

const shown = () => document.body.textContent;
const started = async () => {
  const server = await new LiveryServer({ en: english, de: german }).start();
  ends.push(() => server.stop());
  return server;
};

test("the app waits for its first texts, and shows them by the names of its code", async () => {
  await open((await started()).baseUrl);

  expect(screen.getByRole("heading").textContent).toBe("Your cart");
  expect(shown()).toContain("2 items left");
  expect(shown()).toContain("A girlfriend");
});

test("texts with tags become the components of Trans, and values become no markup", async () => {
  await open((await started()).baseUrl);

  const footer = document.querySelector("footer");
  expect(footer?.textContent).toBe("Hello Ada <3, read thisSee the new terms.");
  expect(footer?.querySelector("b")?.textContent).toBe("Ada <3");
  expect(footer?.querySelector("em")?.textContent).toBe("this");
  expect(footer?.querySelector("i")?.textContent).toBe("the new terms");
});

test("a release shows in all components, and a release of colours renders nothing again", async () => {
  const server = await started();
  const { plugin } = await open(server.baseUrl);
  await vi.waitFor(() => expect(plugin.client?.state).toBe("live"));
  const before = renders;

  await act(async () => {
    server.publish({ en: { cart: { title: "Basket" }, common: { terms: "Mind <1>{kind} terms</1>." } } });
    await vi.waitFor(() => expect(plugin.client?.version).toBe("e1.2"));
  });
  expect(screen.getByRole("heading").textContent).toBe("Basket");
  expect(document.querySelector("i")?.textContent).toBe("new terms");
  expect(renders - before).toBe(1);

  await act(async () => {
    server.publish({});
    await vi.waitFor(() => expect(plugin.client?.version).toBe("e1.3"));
  });
  expect(renders - before).toBe(1);
});

test("changeLanguage shows the other language, without loading in between", async () => {
  const { i18n } = await open((await started()).baseUrl);
  const seen = new Set<string | null>();
  const observer = new MutationObserver(() => seen.add(shown()));
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });

  await act(() => i18n.changeLanguage("de"));
  observer.disconnect();

  expect(screen.getByRole("heading").textContent).toBe("Warenkorb");
  expect(shown()).toContain("Noch 2");
  expect([...seen].filter((text) => text?.includes("loading") || text?.includes("cart."))).toEqual([]);
});

test("offline, the app shows its bundle at once, and never a name", async () => {
  const fallback = { language: "en", texts: english };
  await open("http://127.0.0.1:9", {}, { fallback });

  expect(screen.getByRole("heading").textContent).toBe("Your cart");
  expect(shown()).not.toContain("cart.");
});

test("offline, the texts that the app brings show, and Livery's follow when the server is there", async () => {
  const server = await started();
  let release = () => {};
  server.gate = new Promise((resolve) => {
    release = resolve;
  });
  const resources = { en: { translation: { cart: { title: "Brought" } }, common: {} } };
  await open(server.baseUrl, { resources, partialBundledLanguages: true });
  expect(screen.getByRole("heading").textContent).toBe("Brought");

  await act(async () => {
    release();
    await vi.waitFor(() => expect(screen.getByRole("heading").textContent).toBe("Your cart"));
  });
});

test("missing keys that are saved while React renders cause no warning", async () => {
  const problem = vi.spyOn(console, "error");
  const Page = () => <p>{useTranslation().t("cart.new", "New text")}</p>;
  const { i18n } = await open((await started()).baseUrl, { saveMissing: true });
  render(<Page />, { wrapper: ({ children }) => <I18nextProvider i18n={i18n}>{children}</I18nextProvider> });

  expect(screen.getByText("New text")).toBeDefined();
  expect(problem).not.toHaveBeenCalled();
  problem.mockRestore();
});

test("a page that opens offline shows what the device has kept, at once", async () => {
  const server = await started();
  const { plugin } = await open(server.baseUrl, {}, { cache: true });
  await vi.waitFor(() => expect(JSON.stringify(localStorage)).toContain("Your cart"));
  plugin.close();
  cleanup();
  await server.stop();
  ends.splice(0);

  await open(server.baseUrl, {}, { cache: true });

  expect(screen.getByRole("heading").textContent).toBe("Your cart");
  localStorage.clear();
});

test("what the app binds to the store itself stays bound", async () => {
  const { i18n } = await open((await started()).baseUrl, { react: { bindI18nStore: "removed", useSuspense: false } });

  expect(i18n.options.react).toEqual({ bindI18nStore: "removed livery", useSuspense: false });
});
