/** What jsdom lacks, the network stand-in, and a clean browser before every test. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import toast from "react-hot-toast";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { installComputedStyle } from "./computed-style";
import { server } from "./server";

// The first page of a file loads its code; on a busy machine that takes more than the default second.
configure({ asyncUtilTimeout: 15_000 });

class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= NoResizes;
window.HTMLElement.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
installComputedStyle();
// The formatting editor asks where its cursor is.
Range.prototype.getClientRects = () => Object.assign([new DOMRect()], { item: () => null }) as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
// Growing text areas wait for fonts.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
window.matchMedia = (query) => {
  // A large screen, light, with motion.
  const min = /min-width:\s*(\d+)/.exec(query);
  const matches = min !== null && Number(min[1]) <= 1440;
  return {
    matches,
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  };
};

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  toast.remove();
  server.resetHandlers();
});
afterAll(() => server.close());
