// @vitest-environment jsdom
/** What a page reports of its life. */

import { expect, test } from "vitest";
import { createPlatform } from "../src/browser.js";

test("leaving a page and coming back from the back-forward cache are reported, loading a page is not", () => {
  const events: string[] = [];
  const stop = createPlatform().onLifecycle((event) => events.push(event));
  const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));

  show(false);
  window.dispatchEvent(new Event("pagehide"));
  show(true);
  stop();
  show(true);

  expect(events).toEqual(["left", "visible"]);
});
