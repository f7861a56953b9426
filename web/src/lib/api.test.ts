import { afterEach, expect, test, vi } from "vitest";
import { ApiError, api, NetworkError, take } from "./api";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Replaces the network by one that never answers. Returns the signals of the calls. */
function silentNetwork() {
  const signals: AbortSignal[] = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (request: Request, { signal = request.signal }: RequestInit = {}) => {
    if (signal === null) throw new TypeError("a call without a signal");
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  return signals;
}

test("a read without an answer gives its connection up after half a minute", async () => {
  const signals = silentNetwork();
  const outcome = take(api.GET("/api/languages")).catch((error: unknown) => error);

  await vi.advanceTimersByTimeAsync(29_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(await outcome).toBeInstanceOf(NetworkError);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a read that its page no longer wants is aborted at once", async () => {
  const signals = silentNetwork();
  const page = new AbortController();
  const outcome = take(api.GET("/api/languages", { signal: page.signal })).catch((error: unknown) => error);

  await vi.advanceTimersByTimeAsync(1_000);
  page.abort();
  await outcome;

  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a write is never given up: it may have happened", async () => {
  const signals = silentNetwork();
  void api.POST("/api/projects", { body: { name: "Travel", description: "", defaultLanguage: "en" } });

  await vi.advanceTimersByTimeAsync(600_000);

  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test.each([null, undefined])("an answer without the promised body (%s) is a failure", async (data) => {
  const answered = Promise.resolve({ data, response: new Response(null, { status: 200 }) });

  await expect(take(answered)).rejects.toThrow(ApiError);
});
