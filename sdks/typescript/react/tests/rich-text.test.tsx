/** `<T>`: which tags and parameters of a text become elements, and which stay text. */

import type { LiveryOptions } from "@livery/client";
import { formatIcuMessage } from "@livery/client/adapters";
import { act, cleanup, render } from "@testing-library/react";
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { first, goLive, setUp } from "../../client/tests/bindings.js";
import { LiveryProvider, T, type TProps } from "../src/index.js";

afterEach(cleanup);

const texts = {
  plain: "Hello",
  terms: "Read the <link>terms of <b>{shop}</b></link>.<br/>Thanks<br>!",
  inbox: "{count, plural, one {<b>#</b> mail} other {<b>#</b> mails}} from {who}",
  half: "<b>open and <i>both</b> </i> <b>",
  unknown: '<script>alert(1)</script> <a href="x">y</a> <constructor>z</constructor>',
  written: "{who} wrote",
  icon: "Press <icon/> twice",
  quoted: "<b>It''s</b> '{who}': {who}",
};

function markup(element: ReactElement, options: Partial<LiveryOptions> = {}): string {
  const { client } = setUp({ connection: "off", fallback: { ...first, texts: { home: texts } }, ...options });
  return renderToStaticMarkup(<LiveryProvider client={client}>{element}</LiveryProvider>);
}

test("tags become the elements that the app gives, and formatting tags become themselves", () => {
  const components = { link: <a href="/terms">terms</a> };

  expect(markup(<T id="home.terms" params={{ shop: "Aurora" }} components={components} />)).toBe(
    'Read the <a href="/terms">terms of <b>Aurora</b></a>.<br/>Thanks<br/>!',
  );
});

test("a tag may be a function of its content, and an element without content stays as it is", () => {
  const components = { b: (content: ReactNode) => <mark>{content}</mark>, icon: <img alt="Enter" /> };

  expect(markup(<T id="home.inbox" params={{ count: 2, who: "Ada" }} components={components} />)).toBe(
    "<mark>2</mark> mails from Ada",
  );
  expect(markup(<T id="home.icon" components={components} />)).toBe('Press <img alt="Enter"/> twice');
});

test("a parameter may be an element, beside plurals that choose by their number", () => {
  expect(markup(<T id="home.inbox" params={{ count: 1, who: <em>Ada</em> }} />)).toBe(
    "<b>1</b> mail from <em>Ada</em>",
  );
});

test("apostrophes quote with the option of the client", () => {
  expect(markup(<T id="home.quoted" params={{ who: <em>Ada</em> }} />, { format: formatIcuMessage })).toBe(
    "<b>It&#x27;s</b> {who}: <em>Ada</em>",
  );
});

test("a parameter is never read as a tag", () => {
  expect(markup(<T id="home.written" params={{ who: "<b>Ada</b>" }} />)).toBe("&lt;b&gt;Ada&lt;/b&gt; wrote");
  expect(markup(<T id="home.written" params={{ who: "\uFDD00\uFDD1" }} />)).toBe("\uFDD00\uFDD1 wrote");
});

test("tags that nobody named, and tags without their end, are text", () => {
  expect(markup(<T id="home.unknown" />)).toBe(
    "&lt;script&gt;alert(1)&lt;/script&gt; &lt;a href=&quot;x&quot;&gt;y&lt;/a&gt; &lt;constructor&gt;z&lt;/constructor&gt;",
  );
  expect(markup(<T id="home.half" />)).toBe("<b>open and &lt;i&gt;both</b> &lt;/i&gt; &lt;b&gt;");
});

test("without a text the fallback shows, else the key", () => {
  expect(markup(<T id="home.none" fallback="<b>{n}</b> new" params={{ n: 3 }} />)).toBe("<b>3</b> new");
  expect(markup(<T id="home.none" />)).toBe("home.none");
});

test("missing parameters stay as they are written", () => {
  expect(markup(<T id="home.written" params={{ who: null }} />)).toBe("{who} wrote");
  expect(markup(<T id="home.written" />)).toBe("{who} wrote");
});

test("an element is the same element after the words around it have changed, and React warns of nothing", async () => {
  const set = setUp({ fallback: { ...first, texts: { home: { title: "See <link>this</link> and {more}" } } } });
  const warned = vi.spyOn(console, "error");
  const props: TProps = {
    id: "home.title",
    components: { link: <a href="/x">details</a> },
    params: { more: <i key="i">more</i> },
  };
  const { container } = render(
    <LiveryProvider client={set.client}>
      <T {...props} />
    </LiveryProvider>,
  );
  const link = container.querySelector("a");
  expect(container.innerHTML).toBe('See <a href="/x">this</a> and <i>more</i>');

  await act(() => goLive(set, { ...first, texts: { home: { title: "Look at <link>that</link>, {more}" } } }));

  expect(container.innerHTML).toBe('Look at <a href="/x">that</a>, <i>more</i>');
  expect(container.querySelector("a")).toBe(link);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
