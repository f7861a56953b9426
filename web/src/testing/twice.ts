/** Two quick clicks on the same button make one call. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";
import { answer, server } from "@/testing/server";

const calls: string[] = [];

/** Answers the call late enough for a second call, and counts it. */
export function counted(method: "post" | "put" | "delete", path: string, body: Parameters<typeof answer>[2]) {
  calls.length = 0;
  server.use(answer(method, path, body, { afterMs: 30, onCall: () => calls.push(path) }));
}

export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

export async function clickTwice(button: HTMLElement) {
  act(() => {
    fireEvent.click(button);
    fireEvent.click(button);
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(calls).toHaveLength(1);
}
