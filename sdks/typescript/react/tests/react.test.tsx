/** The hooks in real trees: what re-renders, what does not, and hydration. */

import type { LiveryClient, LiveryContent } from "@livery/client";
import { act, cleanup, render, screen } from "@testing-library/react";
import { StrictMode, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import * as bindings from "../../client/tests/bindings.js";
import { type Connected, first, newer, setUp } from "../../client/tests/bindings.js";
import {
  LiveryProvider,
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

afterEach(cleanup);

const Title = () => <h1>{useT()("home.title", { name: "Ada" })}</h1>;
const Item = () => <li>{useText("home.title", { name: "Ada" })}</li>;
const State = () => <output>{useLiveryState()}</output>;

function Reporter({ report }: { report: (line: string) => void }) {
  const t = useT();
  const { language, direction } = useLanguage();
  report(`${t("home.other")} ${language} ${direction}`);
  return null;
}

function Page() {
  const t = useT();
  return (
    <main style={{ color: useColor("primary") }} dir={useLanguage().direction}>
      {t("home.title", { name: "Ada" })} {useText("home.other")} {useLiveryState()}
    </main>
  );
}

const goLive = (set: Connected) => act(() => bindings.goLive(set));
const release = (set: Connected, from: number, patch: object) => act(() => bindings.release(set, from, patch));

test("a release changes the text on the page", async () => {
  const set = setUp();
  render(
    <StrictMode>
      <LiveryProvider client={set.client}>
        <Title />
      </LiveryProvider>
    </StrictMode>,
  );
  expect(screen.getByRole("heading").textContent).toBe("Hello Ada");

  await goLive(set);
  await release(set, 1, { texts: { home: { title: "Welcome {name}" } } });

  expect(screen.getByRole("heading").textContent).toBe("Welcome Ada");
});

test("a component renders again only when what it reads has changed", async () => {
  const set = setUp();
  const { client } = set;
  const renders = { t: 0, text: 0, color: 0, colors: 0, image: 0, language: 0, client: 0 };
  const components = [
    () => <p>{`${useT()("home.other")}${renders.t++}`}</p>,
    () => <p>{`${useText("home.title")}${renders.text++}`}</p>,
    () => <p>{`${useColor("primary")}${renders.color++}`}</p>,
    () => <p>{`${JSON.stringify(useColors())}${renders.colors++}`}</p>,
    () => <p>{`${useImage("logo")?.url}${renders.image++}`}</p>,
    () => <p>{`${useLanguage().language}${renders.language++}`}</p>,
    () => <p>{`${useLivery() === client}${renders.client++}`}</p>,
  ];
  render(
    <LiveryProvider client={client}>
      {components.map((Component) => (
        <Component key={components.indexOf(Component)} />
      ))}
    </LiveryProvider>,
  );
  await goLive(set);
  const before = { ...renders };
  const since = () => Object.entries(renders).filter(([name, count]) => count > before[name as keyof typeof before]);

  await release(set, 1, { texts: { home: { other: "Changed" } } });
  expect(since().map(([name]) => name)).toEqual(["t"]);

  await release(set, 2, { colors: { primary: "#020202" } });
  expect(since().map(([name]) => name)).toEqual(["t", "color", "colors"]);
  expect(renders.t - before.t).toBe(1);
});

test("a component with t renders again only when a text that it read has changed", async () => {
  const set = setUp();
  const renders = { title: 0, missing: 0, late: 0 };
  let late = (_: string): string => "";
  const components = [
    () => <p>{`${useT()("home.title", { name: "Ada" })} ${renders.title++}`}</p>,
    () => <p>{`${useT()("home.none", "Default")} ${renders.missing++}`}</p>,
    () => {
      const t = useT();
      late = (key) => t(key); // read by a click, for example
      return <p>{renders.late++}</p>;
    },
  ];
  render(
    <LiveryProvider client={set.client}>
      {components.map((Component) => (
        <Component key={components.indexOf(Component)} />
      ))}
    </LiveryProvider>,
  );
  await goLive(set);
  const changed = async (from: number, texts: object) => {
    const before = { ...renders };
    await release(set, from, { texts });
    return Object.entries(renders).flatMap(([name, count]) =>
      count > before[name as keyof typeof before] ? name : [],
    );
  };

  expect(await changed(1, { home: { other: "Changed" } })).toEqual([]);
  expect(await changed(2, { home: { none: "There now" } })).toEqual(["missing"]);
  expect(late("home.other")).toBe("Changed");
  expect(await changed(3, { home: { other: "Again" } })).toEqual(["late"]);
  expect(late("home.other")).toBe("Again");
  expect(await changed(4, { home: { title: "Hi {name}", none: null } })).toEqual(["title", "missing"]);
  expect(screen.getByText(/^Hi Ada/)).toBeTruthy();
});

test("a language switch shows in texts, language and direction together", async () => {
  const set = setUp();
  const seen: string[] = [];
  render(
    <LiveryProvider client={set.client}>
      <Reporter report={(line) => seen.push(line)} />
    </LiveryProvider>,
  );
  await goLive(set);

  const arabic = { ...first, language: "ar", texts: { home: { title: "مرحبا", other: "آخر" } } };
  await act(async () => {
    void set.client.setLanguage("ar");
    set.platform.serve({ status: 200, text: JSON.stringify(arabic) });
    await set.platform.advance(0);
  });

  expect(new Set(seen)).toEqual(new Set(["Other en ltr", "آخر ar rtl"]));
});

test("a component follows the state of the client", async () => {
  const set = setUp();
  render(
    <LiveryProvider client={set.client}>
      <State />
    </LiveryProvider>,
  );
  expect(screen.getByRole("status").textContent).toBe("fallback");

  await goLive(set);

  expect(screen.getByRole("status").textContent).toBe("live");
});

test("hydration renders what the server rendered, then the client's newer content is shown", async () => {
  const server = setUp({ connection: "off" }).client;
  const markup = renderToString(
    <LiveryProvider client={server} serverContent={server.snapshot}>
      <Page />
    </LiveryProvider>,
  );
  expect(markup).toContain("Hello Ada");
  const container = document.createElement("div");
  container.innerHTML = markup;
  const errors = vi.fn();
  const { client } = setUp({ connection: "off", fallback: newer });

  const root = await act(async () =>
    hydrateRoot(
      container,
      <LiveryProvider client={client} serverContent={JSON.parse(JSON.stringify(server.snapshot))}>
        <Page />
      </LiveryProvider>,
      { onRecoverableError: errors },
    ),
  );

  expect(errors).not.toHaveBeenCalled();
  expect(container.textContent).toContain("Newer Ada New");
  act(() => root.unmount());
});

test("two clients on one page keep their contents apart", () => {
  const one = setUp().client;
  const other = setUp({ fallback: { texts: { home: { title: "Theirs" } } } }).client;
  render(
    <ul>
      <LiveryProvider client={one}>
        <Item />
      </LiveryProvider>
      <LiveryProvider client={other}>
        <Item />
      </LiveryProvider>
    </ul>,
  );

  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["Hello Ada", "Theirs"]);
});

test("a hook without a provider throws an error that names the provider", () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => {});

  expect(() => render(<Item />)).toThrow("<LiveryProvider>");

  silent.mockRestore();
});

test("a store's items load and follow its releases, and unchanged items do not render again", async () => {
  const content = { ...first, stores: { products: "h1" } };
  const set = setUp({ fallback: content });
  const { client, platform } = set;
  const renders = vi.fn();
  function Products() {
    const items = useStore("products");
    renders();
    return <ul>{items ? items.map((item) => <li key={item._id}>{String(item.title)}</li>) : "loading"}</ul>;
  }
  const send = (from: number, patch: object) => act(() => bindings.release(set, from, patch, 2_000));
  const view = render(
    <StrictMode>
      <LiveryProvider client={client}>
        <Products />
      </LiveryProvider>
    </StrictMode>,
  );
  expect(screen.getByText("loading")).toBeTruthy();
  await act(() => bindings.goLive(set, content));
  await act(() => bindings.serveProduct(set, "e1.1", "h1", "Tea"));
  expect(screen.getByText("Tea")).toBeTruthy();

  renders.mockClear();
  await send(1, { texts: { home: { other: "New" } } });
  expect(renders).not.toHaveBeenCalled();
  await send(2, { stores: { products: "h2" } });
  await act(() => bindings.serveProduct(set, "e1.3", "h2", "Coffee"));
  expect(screen.getByText("Coffee")).toBeTruthy();
  view.unmount();
  await send(3, { stores: { products: "h3" } });
  expect(platform.requests.filter((request) => request.kind === "store")).toHaveLength(2);
  client.close();
});

const Waiting = ({ client, serverContent }: { client: LiveryClient; serverContent?: LiveryContent }) => (
  <StrictMode>
    <Suspense fallback={<p>Loading</p>}>
      <LiveryProvider client={client} serverContent={serverContent} suspense>
        <Title />
      </LiveryProvider>
    </Suspense>
  </StrictMode>
);

test("with suspense a first visit shows the fallback until there is content, and never a key", async () => {
  const { client, platform } = setUp({ fallback: undefined });
  const { container } = await act(() => render(<Waiting client={client} />));
  expect(container.textContent).toBe("Loading");

  await act(async () => {
    platform.serve({ status: 200, text: JSON.stringify(first) });
    await platform.advance(0);
  });

  expect(container.textContent).toBe("Hello Ada");
});

test("with suspense a server that is down shows defaults after the first failure", async () => {
  const { client, platform } = setUp({ fallback: undefined });
  const { container } = await act(() => render(<Waiting client={client} />));
  expect(container.textContent).toBe("Loading");

  await act(async () => {
    platform.setNet("down");
    await platform.advance(0);
  });

  expect(container.textContent).toBe("home.title");
});

test("with suspense content at hand shows at once", () => {
  expect(renderToString(<Waiting client={setUp().client} />)).toContain("Hello Ada");
  const { client } = setUp({ fallback: undefined });
  expect(renderToString(<Waiting client={client} serverContent={first} />)).toContain("Hello Ada");
});
