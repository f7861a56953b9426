// @vitest-environment jsdom
/** The language of a visitor: found, kept on the device, and shown on the page. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { detectLanguage, keepLanguage } from "../src/language.js";
import { first, newer, setUp } from "./bindings.js";

const ARABIC = { ...first, language: "ar", texts: { home: { title: "مرحبا", other: "آخر" } } };

function browserSpeaks(...languages: string[]): void {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
}

beforeEach(() => {
  localStorage.clear();
  browserSpeaks("fr-CA", "de-AT", "en");
});
afterEach(() => vi.restoreAllMocks());

test("the first language of the browser that the app has is found, also without its region", () => {
  expect(detectLanguage(["en", "de"])).toBe("de");
  expect(detectLanguage(["en", "pt-BR"])).toBe("en");
  browserSpeaks("zh-hant-tw", "en");
  expect(detectLanguage(["en", "zh-Hant"])).toBe("zh-Hant");
  browserSpeaks("ja");
  expect(detectLanguage(["en", "de"])).toBeUndefined();
});

test("the language that a person chose comes first, as long as the app has it", async () => {
  const { client } = setUp({ connection: "off", fallback: [first, ARABIC] });
  keepLanguage(client);
  expect(localStorage.length).toBe(0);

  void client.setLanguage("ar");

  expect(detectLanguage(["en", "de", "ar"])).toBe("ar");
  expect(detectLanguage(["en", "de"])).toBe("de");
  expect(detectLanguage(["en", "de", "ar"], { storageKey: "another-app" })).toBe("de");
});

test("the page has the language and the direction that is shown, until the end", async () => {
  const { client } = setUp({ connection: "off", fallback: [first, ARABIC, { ...newer, language: "de" }] });
  const page = document.documentElement;
  const end = keepLanguage(client);
  expect([page.lang, page.dir]).toEqual(["en", "ltr"]);

  void client.setLanguage("ar");
  expect([page.lang, page.dir]).toEqual(["ar", "rtl"]);

  end();
  void client.setLanguage("de");
  expect([page.lang, page.dir]).toEqual(["ar", "rtl"]);
  expect(localStorage.getItem("livery-language")).toBe("ar");
});

test("a device that keeps nothing is no error", () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new Error("denied");
  });
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  const { client } = setUp({ connection: "off", fallback: [first, ARABIC] });

  keepLanguage(client);
  void client.setLanguage("ar");

  expect(document.documentElement.lang).toBe("ar");
  expect(detectLanguage(["en", "de"])).toBe("de");
});

test("on a server nothing is found", () => {
  vi.stubGlobal("document", undefined);

  expect(detectLanguage(["en", "de"])).toBeUndefined();

  vi.unstubAllGlobals();
});
