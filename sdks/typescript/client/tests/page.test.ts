// @vitest-environment jsdom
/** A page without a framework: its marks are filled, its elements stay. */

import { afterEach, expect, test } from "vitest";
import { bindPage } from "../src/page.js";
import { first, setUp } from "./bindings.js";

const TEXTS = {
  home: {
    title: "Welcome, {name}!",
    save: "Save",
    items: "{count, plural, one {# item} other {# items}}",
    hint: "Your email",
  },
};

function open(body: string) {
  document.body.innerHTML = body;
  const { client } = setUp({
    connection: "off",
    fallback: [
      { ...first, languages: ["en", "de"], texts: TEXTS },
      { ...first, language: "de", texts: { home: { ...TEXTS.home, save: "Sichern", hint: "Deine E-Mail" } } },
    ],
  });
  const end = bindPage(client);
  ends.push(end);
  return { client, end, body: () => document.body.innerHTML };
}

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  document.body.innerHTML = "";
});

test("a text goes into the words of its element, and the children of the element stay", () => {
  const page = open(
    '<button data-livery="home.save"><svg></svg> Keep <kbd>S</kbd></button><a data-livery="home.save"><img></a><p data-livery="home.save"></p>',
  );

  expect(page.body()).toBe(
    '<button data-livery="home.save"><svg></svg> Save <kbd>S</kbd></button><a data-livery="home.save"><img>Save</a><p data-livery="home.save">Save</p>',
  );
});

test("attributes and parameters come from marks, and follow the language", async () => {
  const page = open(
    `<h1 data-livery="home.title" data-livery-params='{"name": "Ada"}'>Hello</h1>
     <p data-livery="home.items" data-livery-params='{"count": 1}'></p>
     <input data-livery-placeholder="home.hint" data-livery-aria-label="home.hint">`,
  );
  const input = document.querySelector("input");

  expect([...document.querySelectorAll("h1, p")].map((one) => one.textContent)).toEqual(["Welcome, Ada!", "1 item"]);
  expect(input?.placeholder).toBe("Your email");
  await page.client.setLanguage("de");
  expect([input?.placeholder, input?.getAttribute("aria-label")]).toEqual(["Deine E-Mail", "Deine E-Mail"]);
});

test("what the page had is the default, and a mark can set no address and no handler", () => {
  const page = open(
    `<a href="/x" data-livery="home.none" data-livery-href="home.save" data-livery-onclick="home.save"> More </a>
     <img alt="A boat" data-livery-alt="home.none"><i data-livery="home.title" data-livery-params="{broken">Hi</i>`,
  );

  expect(page.body()).toContain('data-livery-onclick="home.save"> More </a>');
  expect(page.body()).toContain('<img alt="A boat"');
  expect(page.body()).toContain(">Welcome, {name}!</i>");
  expect(document.querySelector("a")?.getAttribute("href")).toBe("/x");
  expect(document.querySelector("a")?.hasAttribute("onclick")).toBe(false);
});

test("elements that come later and marks that change are found, until the end", async () => {
  const page = open('<main></main><p data-livery="home.items"></p>');
  const turn = () => Promise.resolve();
  const [main, count] = [document.querySelector("main"), document.querySelector("p")];

  main?.insertAdjacentHTML("beforeend", '<b data-livery="home.save">Keep</b>');
  count?.setAttribute("data-livery-params", '{"count": 3}');
  await turn();
  expect([main?.textContent, count?.textContent]).toEqual(["Save", "3 items"]);

  page.end();
  main?.insertAdjacentHTML("beforeend", '<b data-livery="home.save">Keep</b>');
  await page.client.setLanguage("de");
  await turn();
  expect(main?.textContent).toBe("SaveKeep");
});

test("a text is text, whatever it has", () => {
  document.body.innerHTML = '<p data-livery="home.title">x</p>';
  const { client } = setUp({
    connection: "off",
    fallback: { texts: { home: { title: '<img src=x onerror="alert(1)">' } } },
  });
  ends.push(bindPage(client));

  expect(document.querySelector("p")?.children).toHaveLength(0);
  expect(document.querySelector("p")?.textContent).toBe('<img src=x onerror="alert(1)">');
});
