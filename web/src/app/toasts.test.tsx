/** How long toasts stay and how many there are. A toast that leaves is gone from the page a second later, after its fading. */
import { act, screen } from "@testing-library/react";
import toast from "react-hot-toast";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { open } from "@/testing/open";

const FADING_MS = 1000;
const STEP_MS = 100;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  act(() => toast.remove());
  vi.useRealTimers();
});

// spec: toast-2
test.each([
  ["blank", () => toast("Said"), 4000],
  ["error", () => toast.error("Said"), 4000],
  ["success", () => toast.success("Said"), 2000],
])("a %s toast stays as long as it should", async (_, say, duration) => {
  open("/login");
  await screen.findByRole("heading", { level: 1 });

  act(() => void say());
  const begin = Date.now();
  const shownFor = () => Date.now() - begin;
  while (screen.queryByText("Said") !== null && shownFor() < 10_000) {
    await act(() => vi.advanceTimersByTimeAsync(STEP_MS));
  }

  expect(Math.abs(shownFor() - FADING_MS - duration)).toBeLessThanOrEqual(3 * STEP_MS);
});

// spec: toast-3
test("a loading toast stays until it is dismissed", async () => {
  open("/login");
  await screen.findByRole("heading", { level: 1 });

  act(() => void toast.loading("Said"));

  await act(() => vi.advanceTimersByTimeAsync(600_000));
  expect(screen.getByText("Said")).toBeInTheDocument();
});

// spec: toast-1
test("at most twenty toasts are shown at once", async () => {
  open("/login");
  await screen.findByRole("heading", { level: 1 });

  act(() => {
    for (let number = 1; number <= 25; number += 1) toast(`Said ${number}`);
  });

  expect(screen.getAllByText(/^Said \d+$/)).toHaveLength(20);
  expect(screen.getByText("Said 25")).toBeInTheDocument();
});
