import { MantineProvider, Modal } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { theme } from "./theme";

function Page({ opened, hasOpener = true }: { opened: "first" | "second" | null; hasOpener?: boolean }) {
  return (
    <MantineProvider theme={theme} env="test">
      <main tabIndex={-1}>{hasOpener && <button type="button">Opens both</button>}</main>
      {(["first", "second"] as const).map((name) => (
        <Modal key={name} title={name} opened={opened === name} onClose={() => {}} />
      ))}
    </MantineProvider>
  );
}

test("a dialog returns the focus, whenever the dialog before it has faded", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const { rerender } = render(<Page opened={null} />);
  const opener = screen.getByRole("button", { name: "Opens both" });
  const lostAfter: number[] = [];

  for (let ms = 150; ms <= 214; ms += 4) {
    opener.focus();
    rerender(<Page opened="first" />);
    await later(500);
    rerender(<Page opened={null} />);
    await later(30);
    expect(opener).toHaveFocus();
    rerender(<Page opened="second" />);
    await later(ms - 30);
    rerender(<Page opened={null} />);
    await later(500);
    if (document.activeElement !== opener) lostAfter.push(ms);
  }

  expect(lostAfter).toEqual([]);
});

test("the focus is on the page if the dialog's result removed the button that opened the dialog", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const { rerender } = render(<Page opened={null} />);
  const opener = screen.getByRole("button", { name: "Opens both" });
  opener.focus();
  rerender(<Page opened="first" />);
  await later(500);

  rerender(<Page opened="first" hasOpener={false} />);
  rerender(<Page opened={null} hasOpener={false} />);
  await later(500);

  expect(screen.getByRole("main")).toHaveFocus();
});
