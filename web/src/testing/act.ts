/**
 * Tests run on React's production build: it is what users get, and it is quicker. It has no `act`, which Testing Library asks for.
 * The `act` here ends when everything that its callback changed is drawn, with all effects, as that of the development build does.
 * Import this module before everything that loads React.
 */
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** What React wants to do next, until it is done. */
const due = new Set<() => void>();

function run(work: () => void): void {
  if (due.delete(work)) work();
}

function runAll(): void {
  for (const work of due) run(work);
}

// React takes the functions with which it schedules its work from here, once, when it is loaded.
const { queueMicrotask, setImmediate } = globalThis;
const noting = (schedule: (work: () => void) => unknown) => (work: () => void) => {
  // The same function may be scheduled several times.
  const once = () => work();
  due.add(once);
  return schedule(() => run(once));
};
globalThis.queueMicrotask = noting(queueMicrotask) as typeof queueMicrotask;
globalThis.setImmediate = noting(setImmediate) as typeof setImmediate;
load("react-dom/client");
globalThis.queueMicrotask = queueMicrotask;
globalThis.setImmediate = setImmediate;
const React: object = load("react");
const { flushSync }: { flushSync: <T>(callback: () => T) => T } = load("react-dom");

function act(callback: () => unknown): PromiseLike<unknown> {
  const result = flushSync(callback);
  runAll();
  const drawn = async () => {
    const value = await result;
    runAll();
    return value;
  };
  // biome-ignore lint/suspicious/noThenProperty: Testing Library gives this on to tests, most of which do not wait for it.
  return { then: (resolve, reject) => drawn().then(resolve, reject) };
}
Object.assign(React, { act });
