import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { appearing } from "@/testing/appearing";
import { hurry } from "@/testing/clock";
import { aKey, aScreen } from "@/testing/fixtures";
import { KEYS, renderScreen } from "@/testing/screen-part";
import { answer, server } from "@/testing/server";

const cta = aKey("cta_book", { en: "Book now", de: "Buchen" });

const help = aKey("help_url", { en: "Help", de: "Hilfe" });

const title = aKey("title", { en: "Where to next?", de: "Wohin?" });

const openScreen = (path = "home") => renderScreen([cta, help, title], {}, { at: path });

const cell = (name: RegExp | string) => screen.getByRole("gridcell", { name });

const filter = () => screen.getByRole("searchbox", { name: "Filter this screen" });

test("the filter keeps the focus while the current row disappears and returns", async () => {
  const { user } = await openScreen();
  act(() => screen.getByRole("rowheader", { name: "cta_book" }).focus());
  await user.keyboard("{ArrowDown}{ArrowRight}");
  expect(cell("help_url, English: Help")).toHaveFocus();

  await user.keyboard("{Control>}f{/Control}");
  await user.keyboard("cta");
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "help_url" })).not.toBeInTheDocument());
  await user.clear(filter());
  await screen.findByRole("rowheader", { name: "help_url" });

  expect(filter()).toHaveFocus();
  await user.keyboard("h");
  expect(filter()).toHaveValue("h");
});

test("Delete clears a text, and Ctrl+Z brings back a text that was cleared or typed over", async () => {
  const sent: unknown[] = [];
  let revision = 1;
  server.use(
    http.put(`${KEYS}/cta_book`, async ({ request }) => {
      const body = (await request.json()) as { values: Record<string, string> };
      sent.push(body.values);
      revision += 1;
      return HttpResponse.json({ ...cta, revision, values: { ...cta.values, ...body.values } });
    }),
  );
  const { user } = await openScreen();
  act(() => screen.getByRole("rowheader", { name: "cta_book" }).focus());
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(cell("cta_book, German: Buchen")).toHaveFocus();

  await user.keyboard("{Enter}");
  await user.clear(screen.getByRole("textbox", { name: "cta_book in German" }));
  await user.keyboard("Jetzt buchen{Enter}");
  await waitFor(() => expect(cell("cta_book, German: Jetzt buchen")).toHaveFocus());
  hurry();
  const begin = Date.now();
  await user.keyboard("{Delete}");
  expect(await screen.findByText("Cleared. Ctrl+Z brings the text back.")).toBeInTheDocument();
  expect(cell(/^cta_book, German: Missing/)).toHaveFocus();
  await user.keyboard("{ArrowDown}{Control>}z{/Control}");
  await waitFor(() => expect(cell("cta_book, German: Jetzt buchen")).toHaveFocus());
  await waitFor(() => expect(screen.queryByText(/^Cleared\./)).not.toBeInTheDocument());
  // By itself it would stay for four seconds, and fade for one more.
  expect(Date.now() - begin).toBeLessThan(4_000);
  await user.keyboard("{Control>}z{/Control}");

  await waitFor(() => expect(cell("cta_book, German: Buchen")).toHaveFocus());
  await waitFor(() =>
    expect(sent).toEqual([{ de: "Jetzt buchen" }, { de: "" }, { de: "Jetzt buchen" }, { de: "Buchen" }]),
  );
});

test("a character typed on a cell replaces its text; Escape restores it", async () => {
  const sent: unknown[] = [];
  server.use(answer("put", `${KEYS}/cta_book`, aKey("cta_book", {}), { onCall: (body) => sent.push(body) }));
  const { user } = await openScreen();
  act(() => cell("cta_book, German: Buchen").focus());

  await user.keyboard("fertig");
  expect(screen.getByRole("textbox", { name: "cta_book in German" })).toHaveValue("fertig");
  expect(filter()).toHaveValue("");
  await user.keyboard("{Escape}");
  expect(cell("cta_book, German: Buchen")).toHaveFocus();

  await user.keyboard("{Control>}{Alt>}{AltGraph>}@{/AltGraph}{/Alt}{/Control}2{Enter}");
  await waitFor(() => expect(sent).toEqual([{ key: "cta_book", values: { de: "@2" }, revision: 1 }]));
});

test.each([
  ["Process", 229],
  ["k", 229],
  ["Dead", 0],
])("the key %s (%i) of an input method goes to the open text, in place of what is there", async (key, keyCode) => {
  const { user } = await openScreen();
  act(() => cell("cta_book, German: Buchen").focus());

  // False if a handler prevented what the browser does with the key.
  expect(fireEvent.keyDown(cell("cta_book, German: Buchen"), { key, keyCode })).toBe(true);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "cta_book in German" });
  expect(field).toHaveFocus();
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe("Buchen");
  await user.keyboard("か");
  expect(field).toHaveValue("か");
  await user.keyboard("{Escape}");
  fireEvent.keyDown(cell("cta_book, German: Buchen"), { key, keyCode });
  await user.click(cell("title, German: Wohin?"));

  // A call that saves a text has no answer here.
  expect(cell("cta_book, German: Buchen")).toBeInTheDocument();
});

test("Ctrl+F on a cell goes to the filter", async () => {
  const { user } = await openScreen();
  act(() => cell("cta_book, German: Buchen").focus());

  await user.keyboard("{Control>}f{/Control}");

  expect(filter()).toHaveFocus();
  expect(screen.queryByRole("textbox", { name: "cta_book in German" })).not.toBeInTheDocument();
});

test("the key that the address names takes the focus", async () => {
  hurry();
  await openScreen("home?scrollTo=help_url&lang=de");

  await waitFor(() => expect(cell("help_url, English: Help")).toHaveFocus());
});

test("a person who goes elsewhere before the named key is shown stays there", async () => {
  hurry();
  const marked = appearing("[data-highlighted]");
  const { user } = await openScreen("home?scrollTo=help_url");

  await user.click(filter());
  await marked;
  await waitFor(() => expect(document.querySelector("[data-highlighted]")).toBeNull());

  expect(filter()).toHaveFocus();
});

test.each([
  ["cta_book, German: Buchen", [help, title]],
  ["title, German: Wohin?", [cta, help]],
])("when a colleague deletes the key of the cell '%s', the neighbouring cell has the focus", async (current, left) => {
  const { queryClient } = await openScreen();
  act(() => cell(current).focus());

  server.use(answer("get", KEYS, aScreen([...left])));
  await act(() => queryClient.invalidateQueries());

  await waitFor(() => expect(cell("help_url, German: Hilfe")).toHaveFocus());
});

test("after a colleague deletes the key of an open cell, typing on changes no neighbouring text", async () => {
  const { user, queryClient } = await openScreen();
  await user.click(cell("cta_book, German: Buchen"));
  expect(screen.getByRole("textbox", { name: "cta_book in German" })).toHaveFocus();

  server.use(answer("get", KEYS, aScreen([help, title])));
  await act(() => queryClient.invalidateQueries());

  await waitFor(() => expect(screen.getByRole("rowheader", { name: "help_url" })).toHaveFocus());
  await user.keyboard("e");
  expect(screen.queryByRole("textbox", { name: / in German$/ })).not.toBeInTheDocument();
});

test("a removed row takes no focus while the focus is elsewhere", async () => {
  const { user, queryClient } = await openScreen();
  act(() => cell("cta_book, German: Buchen").focus());
  await user.click(document.body);
  expect(document.body).toHaveFocus();

  server.use(answer("get", KEYS, aScreen([help, title])));
  await act(() => queryClient.invalidateQueries());

  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "cta_book" })).not.toBeInTheDocument());
  expect(document.body).toHaveFocus();
});
