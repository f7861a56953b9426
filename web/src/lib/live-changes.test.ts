import { QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { LiveChanges } from "./live-changes";

const SOON_MS = 150;

test("a change whose keys are known is shown soon, also while a vague one waits for its second", () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const reads = vi.spyOn(client, "invalidateQueries").mockResolvedValue();
  const looks = () => reads.mock.calls.filter(([filters]) => filters?.predicate !== undefined).length;
  const changes = new LiveChanges(client, "prj_1");
  onTestFinished(() => {
    changes.stop();
    vi.useRealTimers();
  });
  const vague = { name: "change", id: "1", data: { stores: true } };
  changes.take(vague);
  vi.advanceTimersByTime(SOON_MS);
  expect(looks()).toBe(1);

  changes.take(vague);
  vi.advanceTimersByTime(SOON_MS);
  expect(looks()).toBe(1);
  changes.take({ name: "change", id: "2", data: { screens: { home: { title: 7 } } } });
  vi.advanceTimersByTime(SOON_MS);
  expect(looks()).toBe(2);
});
