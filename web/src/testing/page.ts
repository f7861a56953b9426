/** What jsdom lacks of a browser, and how tests look at it: once per worker, since the files of a worker share one page. */
import { configure, getConfig } from "@testing-library/react";
import { installComputedStyle } from "./computed-style";
import { installLabels } from "./labels";
import { server } from "./server";

class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= NoResizes;
window.HTMLElement.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
installComputedStyle();
installLabels();
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

const { getElementError } = getConfig();
configure({
  // The first page of a worker loads its code; on a busy machine that takes more than the default second.
  asyncUtilTimeout: 30_000,
  // While a query is repeated, its error is thrown away: only the last error needs the page in print.
  getElementError: (message, container) => {
    const { _disableExpensiveErrorDiagnostics: isRepeated } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean;
    };
    return isRepeated ? new Error(message ?? "") : getElementError(message, container);
  },
});

let unanswered: string[] = [];
server.listen({
  onUnhandledRequest: ({ method, url }, print) => {
    unanswered.push(`${method} ${url}`);
    print.error();
  },
});

/** The calls that the test did not answer, each once. */
export function takeUnanswered(): string[] {
  const found = [...new Set(unanswered)];
  unanswered = [];
  return found;
}

/** Aborts at the end of a test: no call of one test is answered in the next. */
let network = new AbortController();
/** The requests of this test, as the page made them. Node passes an abort on only to requests that something holds. */
let made: Request[] = [];
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  if (input instanceof Request) made.push(input);
  const request = new Request(input, init);
  return fetch(request, { signal: AbortSignal.any([request.signal, network.signal]) });
};

/** The requests that the page made to addresses with this end. */
export const requestsTo = (end: string): Request[] => made.filter(({ url }) => url.endsWith(end));

export function endCalls(): void {
  network.abort();
  made = [];
  network = new AbortController();
}

const timers = new Set<ReturnType<typeof setTimeout>>();
const { setTimeout, setInterval, clearTimeout } = globalThis;
/** Starts a timer, and notes it until the test ends. */
const noting = <Start extends typeof setTimeout | typeof setInterval>(start: Start): Start =>
  Object.assign((...values: Parameters<typeof setTimeout>) => {
    const timer = start(...values);
    timers.add(timer);
    return timer;
  }, start) as unknown as Start;
globalThis.setTimeout = noting(setTimeout);
globalThis.setInterval = noting(setInterval);

/** Takes back all timers that the test left behind. */
export function endTimers(): void {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
}
