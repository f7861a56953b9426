/** What colleagues change appears in an open project, with as few reads as that takes. */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { hurry } from "@/testing/clock";
import { aUser } from "@/testing/fixtures";
import { changeOf, jonas, KEYS, keyAt, openHome } from "@/testing/live";
import { answer, server } from "@/testing/server";

// spec: live-1
test("a colleague's edit appears, and its row is marked for a moment", async () => {
  hurry();
  const { stream, state } = await openHome();

  state.record = keyAt("Jetzt buchen", 2);
  stream.say("change", changeOf(2), "7");

  const cell = await screen.findByRole("gridcell", { name: "cta_book, German: Jetzt buchen" });
  const row = cell.closest('[role="row"]');
  await waitFor(() => expect(row).toHaveAttribute("data-touched"));
  await waitFor(() => expect(row).not.toHaveAttribute("data-touched"));
});

// spec: live-2
test("many changes cause one read, and a revision that the page has already is not read again", async () => {
  hurry();
  const { stream, state } = await openHome();
  const { reads: before, projectReads } = state;

  stream.say("change", changeOf(1), "7");
  stream.say("change", { by: jonas, screens: { checkout: { pay: 3 } } }, "8");
  // The project's counts are read after everything else.
  await waitFor(() => expect(state.projectReads).toBe(projectReads + 1));
  expect(state.reads).toBe(before);

  state.record = keyAt("Los", 4);
  for (const [id, revision] of [2, 3, 4].entries()) stream.say("change", changeOf(revision), String(20 + id));
  await screen.findByRole("gridcell", { name: "cta_book, German: Los" });
  expect(state.reads).toBe(before + 1);
});

// spec: live-2
test("a person's own saved edit is not read again", async () => {
  hurry();
  const { stream, state, user } = await openHome();
  const { reads: before, projectReads } = state;
  const me = aUser();
  server.use(answer("put", `${KEYS}/cta_book`, keyAt("Jetzt", 2)));

  await user.click(screen.getByRole("gridcell", { name: "cta_book, German: Buchen" }));
  const field = screen.getByRole("textbox", { name: "cta_book in German" });
  await user.clear(field);
  await user.type(field, "Jetzt{Enter}");
  stream.say("change", changeOf(2, { _id: me._id, name: me.name }), "7");
  const cell = await screen.findByRole("gridcell", { name: "cta_book, German: Jetzt" });
  // The project's counts are read after everything else.
  await waitFor(() => expect(state.projectReads).toBe(projectReads + 1));

  expect(state.reads).toBe(before);
  expect(cell.closest('[role="row"]')).not.toHaveAttribute("data-touched");
});

test("the page reads everything again after a gap that the stream can't fill", async () => {
  const { stream, state } = await openHome();

  state.record = keyAt("Später", 9);
  stream.say("reset", {});

  expect(await screen.findByRole("gridcell", { name: "cta_book, German: Später" })).toBeVisible();
});

test("a hidden page reads nothing until it is visible", async () => {
  const { stream, state } = await openHome();
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => visibility.mockRestore());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const before = state.reads;

  state.record = keyAt("Später", 2);
  stream.say("change", changeOf(2), "7");
  stream.say("presence", { people: [jonas] });
  await screen.findByRole("list", { name: "Also here" });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(state.reads).toBe(before);
  visibility.mockReturnValue("visible");
  fireEvent(document, new Event("visibilitychange"));

  expect(await screen.findByRole("gridcell", { name: "cta_book, German: Später" })).toBeVisible();
});
