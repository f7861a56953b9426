/** react-intl over Livery's content: the ids of an app, messages with the same meaning, and releases. */

import { formatMessage } from "@livery/client";
import { toIcuMessage } from "@livery/client/adapters";
import { act, cleanup, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createIntl, FormattedMessage, IntlProvider } from "react-intl";
import { afterEach, expect, test, vi } from "vitest";
import QUOTED from "../../../spec/apostrophes.json" with { type: "json" };
import CASES from "../../../spec/messages.json" with { type: "json" };
import { first, goLive, release, setUp } from "../../client/tests/bindings.js";
import { LiveryProvider } from "../src/index.js";
import { useIntlMessages } from "../src/intl.js";

afterEach(cleanup);

const Messages = ({ children }: { children: ReactNode }) => (
  <IntlProvider {...useIntlMessages()} onError={() => undefined}>
    {children}
  </IntlProvider>
);

const texts = {
  cart: {
    items_left: "{count, plural, one {# item's left} other {# items left}}",
    link: "See <b>{{name}}</b>'s {} cart",
  },
  general: { hello: "Hello" },
};

function Page() {
  return (
    <Messages>
      <p>
        <FormattedMessage id="cart.items-left" values={{ count: 1 }} /> ·{" "}
        <FormattedMessage id="cart.link" values={{ name: "Ada", b: (words) => <b>{words}</b> }} /> ·{" "}
        <FormattedMessage id="hello" /> · <FormattedMessage id="cart.none" defaultMessage="Default" />
      </p>
    </Messages>
  );
}

test("an app with react-intl keeps its ids, and shows releases", async () => {
  const set = setUp({ fallback: { ...first, texts } });
  const { container } = render(
    <LiveryProvider client={set.client}>
      <Page />
    </LiveryProvider>,
  );
  expect(container.innerHTML).toBe("<p>1 item's left · See <b>Ada</b>'s {} cart · Hello · Default</p>");

  await act(() => goLive(set, { ...first, texts }));
  await act(() => release(set, 1, { texts: { cart: { none: "There now" } } }));

  expect(container.textContent).toContain("There now");
});

test("components are not drawn again for a release of colours", async () => {
  const set = setUp({ fallback: { ...first, texts } });
  const drawn = vi.fn();
  function Reporter() {
    drawn(useIntlMessages());
    return null;
  }
  render(
    <LiveryProvider client={set.client}>
      <Reporter />
    </LiveryProvider>,
  );
  await act(() => goLive(set, { ...first, texts }));
  drawn.mockClear();

  await act(() => release(set, 1, { colors: { primary: "#020202" } }));

  expect(drawn).not.toHaveBeenCalled();
});

test("names of every object are no messages", () => {
  const { client } = setUp({ connection: "off", fallback: { ...first, texts } });
  let found: Record<string, string> = {};
  function Reader() {
    found = useIntlMessages().messages;
    return null;
  }
  render(
    <LiveryProvider client={client}>
      <Reader />
    </LiveryProvider>,
  );

  expect(["constructor", "__proto__", "toString", ""].filter((id) => Object.hasOwn(found, id) || found[id])).toEqual(
    [],
  );
  expect(Object.hasOwn(found, "cart.items-left")).toBe(true);
});

const namesIn = (parts: unknown) =>
  [...JSON.stringify(parts).matchAll(/"(?:argument|plural|selectordinal|select)":"([^"]*)"/g)].map(
    ([, name]) => name ?? "",
  );

test("each message of the shared cases means the same to react-intl", () => {
  const given = [
    ...CASES.messages.map(({ text, parts }) => ({ text, names: namesIn(parts) })),
    { text: "}'{ it's '{ '' }' {n}'", names: ["n"] },
    { text: "''{n, plural, one {'#'} other {it's # }}", names: ["n"] },
    // react-intl can't read other names, and no hyphen in a selector.
  ].filter(({ text, names }) => names.every((name) => /^[\p{L}\p{N}_]+$/u.test(name)) && !text.includes("-or-"));
  const differing = given.flatMap(({ text, names }) =>
    [1, 5].flatMap((n) => {
      const values = Object.fromEntries(names.map((name) => [name, n]));
      const intl = createIntl({ locale: "en", messages: { text: toIcuMessage(text) }, onError: () => undefined });
      const theirs = text && intl.formatMessage({ id: "text" }, values, { ignoreTag: true });
      const ours = formatMessage(text, values, "en");
      return theirs === ours ? [] : [{ text, theirs, ours }];
    }),
  );

  expect(given.length).toBeGreaterThan(20);
  expect(differing).toEqual([]);
});

/** Texts of the cases that react-intl reads in a different way, and the reason. */
const DIFFERING = {
  "'{name}' {name}": "a value is missing",
  "It''s {name}": "a value is missing",
  "{n, plural, other {{who, select, other {'#' #}}}}": "in a select, react-intl has no number for #",
  "{{name}}''s '{{name}}'": "react-intl has no double braces",
};

test("apostrophes quote as in react-intl", () => {
  const differing = QUOTED.filter(({ text, params, gives }) => {
    const intl = createIntl({ locale: "en", messages: { text }, onError: () => undefined });
    return text && intl.formatMessage({ id: "text" }, (params ?? {}) as Record<string, string>) !== gives;
  });

  expect(differing.map(({ text }) => text).sort()).toEqual(Object.keys(DIFFERING).sort());
});
