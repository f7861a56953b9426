import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropOldTexts, forgetText, hasKeptText, keepText, leftTexts, type Place } from "./kept-text";

const place = { user: "usr_1", project: "prj_1", form: "item", id: "itm_1" };
const NOW = Date.UTC(2026, 10, 21, 10);
const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const leftText = (of: Place, visit: string) => leftTexts(of, visit)[0] ?? null;

const keptKeys = () => Object.keys(window.localStorage).filter((key) => key.startsWith("keptText:"));

test("a text is found by another visit to the same form of the same person", () => {
  keepText(place, "first", { title: "Oslo" });

  expect(leftText(place, "second")).toEqual({ visit: "first", at: NOW, value: { title: "Oslo" } });
  expect(leftText(place, "first")).toBeNull();
  for (const different of [{ user: "usr_2" }, { project: "prj_2" }, { form: "store" }, { id: "itm_2" }]) {
    expect(leftText({ ...place, ...different }, "second")).toBeNull();
  }
});

test("names of places that contain separators stay apart", () => {
  keepText({ ...place, form: "a/b", id: "c" }, "first", { title: "Oslo" });

  expect(leftText({ ...place, form: "a", id: "b/c" }, "second")).toBeNull();
});

test("the newest of several visits is found first, and a text that is forgotten is gone", () => {
  keepText(place, "first", { title: "Oslo" });
  vi.setSystemTime(NOW + 1000);
  keepText(place, "second", { title: "Bergen" });

  expect(leftText(place, "third")?.value).toEqual({ title: "Bergen" });
  forgetText(place, "second");
  expect(leftText(place, "third")?.value).toEqual({ title: "Oslo" });
});

test("a text is kept for seven days", () => {
  keepText(place, "first", { title: "Oslo" });

  vi.setSystemTime(NOW + 7 * DAY_MS - 1);
  expect(leftText(place, "second")).not.toBeNull();
  vi.setSystemTime(NOW + 7 * DAY_MS);
  expect(leftText(place, "second")).toBeNull();
  expect(hasKeptText("usr_1")).toBe(false);
  dropOldTexts();
  expect(keptKeys()).toEqual([]);
});

test("secrets are never written: by the name of their field, or by their form", () => {
  const secret = `lvs_${"1hT5cE0bXn2QwZ8rKf7U"}`;
  const value = {
    name: "Mara",
    password: "a long and quiet river",
    newPassword: "a long and quiet river",
    projectSecret: "x",
    apiKey: "x",
    api_key: "x",
    authToken: "x",
    notes: `Use ${secret}.`,
    list: [{ name: "password" }, secret],
  };

  keepText(place, "first", value);

  expect(leftText(place, "second")?.value).toEqual({ name: "Mara", list: [{ name: "password" }] });
  expect(JSON.stringify({ ...window.localStorage })).not.toMatch(/river|lvs_/);
});

test("a text that is too long is not kept, and an older form of it is not offered in its place", () => {
  keepText(place, "first", { title: "Oslo" });

  keepText(place, "first", { title: "x".repeat(300_000) });

  expect(leftText(place, "second")).toBeNull();
});

test("the oldest texts make room: at most 30 are kept", () => {
  for (let count = 0; count < 32; count += 1) {
    vi.setSystemTime(NOW + count * 1000);
    keepText({ ...place, id: `itm_${count}` }, "first", { title: "Oslo" });
  }

  expect(keptKeys()).toHaveLength(30);
  expect(leftText({ ...place, id: "itm_1" }, "second")).toBeNull();
  expect(leftText({ ...place, id: "itm_31" }, "second")).not.toBeNull();
});

test("the oldest texts make room: all together have at most 1,000,000 characters", () => {
  for (let count = 0; count < 5; count += 1) {
    vi.setSystemTime(NOW + count * 1000);
    keepText({ ...place, id: `itm_${count}` }, "first", { title: "x".repeat(240_000) });
  }

  expect(keptKeys()).toHaveLength(4);
  expect(leftText({ ...place, id: "itm_0" }, "second")).toBeNull();
});

test("in a full storage the oldest texts make room for the newest", () => {
  keepText({ ...place, id: "itm_0" }, "first", { title: "x".repeat(500) });
  const real = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(function (this: Storage, key, value) {
    const used = Object.entries({ ...window.localStorage }).reduce((sum, [, one]) => sum + String(one).length, 0);
    if (used + value.length > 700) throw new DOMException("full", "QuotaExceededError");
    real.call(this, key, value);
  });
  vi.setSystemTime(NOW + 1000);

  keepText(place, "first", { title: "y".repeat(400) });

  expect(keptKeys()).toHaveLength(1);
  expect(leftText(place, "second")?.value).toEqual({ title: "y".repeat(400) });
});

test("where storage is full or blocked, the newest text lives as long as the page", () => {
  keepText(place, "first", { title: "Oslo" });
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });

  keepText(place, "first", { title: "Oslo and Bergen" });
  expect(leftText(place, "second")?.value).toEqual({ title: "Oslo and Bergen" });

  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  keepText(place, "first", { title: "Bergen" });
  expect(leftText(place, "second")?.value).toEqual({ title: "Bergen" });
  expect(hasKeptText("usr_1")).toBe(true);
  forgetText(place, "first");
  expect(leftText(place, "second")).toBeNull();
});

test("texts of the translation grid count as kept", () => {
  expect(hasKeptText("usr_1")).toBe(false);

  window.localStorage.setItem("typedText:usr_1:prj_1", "[{}]");

  expect(hasKeptText("usr_1")).toBe(true);
  expect(hasKeptText("usr_2")).toBe(false);
});

test("an entry that can't be read is no text", () => {
  keepText(place, "first", { title: "Oslo" });
  for (const key of keptKeys()) window.localStorage.setItem(key, "{");

  expect(leftText(place, "second")).toBeNull();
});
