/** Adding, pasting, renaming and deleting keys on a screen. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { aKey } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { openScreen } from "@/testing/screen-editor";
import { cell, cta, help, saved, title } from "@/testing/screen-keys";
import { KEYS } from "@/testing/screen-part";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import type { KeyRecord } from "./queries";

// spec: text-4, text-8, text-9
test("a key is added by name, then text; a duplicate is reported under the field and keeps what was typed", async () => {
  const sent: unknown[] = [];
  server.use(
    answer("post", KEYS, aKey("subtitle", { en: "Slow mornings" }, { meta: {} }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );
  const { user } = await openScreen();
  const name = screen.getByRole("textbox", { name: "Name of the new key" });
  const text = screen.getByRole("textbox", { name: "English text of the new key" });

  await user.type(name, "cta_book{Enter}");
  expect(text).toHaveFocus();
  await user.type(text, "Slow mornings{Enter}");
  expect(await screen.findByText("Key already exists in this screen.")).toBeVisible();
  expect(name).toHaveValue("cta_book");
  expect(text).toHaveValue("Slow mornings");

  await user.clear(name);
  await user.type(name, "2nd{Enter}");
  expect(
    await screen.findByText("Invalid key name. Use letters, numbers, underscores. Must start with a letter."),
  ).toBeVisible();
  await user.clear(name);
  await user.type(name, "subtitle{Enter}");

  expect(await screen.findByRole("rowheader", { name: "subtitle" })).toBeInTheDocument();
  expect(sent).toEqual([{ key: "subtitle", values: { en: "Slow mornings" } }]);
  expect(name).toHaveFocus();
  expect(name).toHaveValue("");
});

test("unsaved text of a new key is kept on the device until the key is added", async () => {
  server.use(answer("post", KEYS, aKey("subtitle", { en: "Slow mornings" }), { status: 201 }));
  const first = await openScreen();
  await enter(first.user, screen.getByRole("textbox", { name: "Name of the new key" }), "subtitle");
  await enter(first.user, screen.getByRole("textbox", { name: "English text of the new key" }), "Slow mornings");
  await waitFor(() => expect(JSON.stringify({ ...window.localStorage })).toContain("Slow mornings"));
  first.unmount();

  const second = await openScreen();
  await second.user.click(await findOfferOfText());
  expect(screen.getByRole("textbox", { name: "Name of the new key" })).toHaveValue("subtitle");
  expect(screen.getByRole("textbox", { name: "English text of the new key" })).toHaveValue("Slow mornings");
  await second.user.click(screen.getByRole("button", { name: "Add key" }));
  expect(await screen.findByRole("rowheader", { name: "subtitle" })).toBeInTheDocument();

  expect(JSON.stringify({ ...window.localStorage })).not.toContain("Slow mornings");
});

test("a new key that is being written is not offered again after a paste", async () => {
  const { user } = await openScreen();
  const name = () => screen.getByRole("textbox", { name: "Name of the new key" });
  await enter(user, name(), "subtitle");
  await waitFor(() => expect(JSON.stringify({ ...window.localStorage })).toContain("subtitle"));
  await user.paste("first\tThe first\nsecond\tThe second\n");
  await user.click(await screen.findByRole("button", { name: "Cancel" }));

  expect(name()).toHaveValue("subtitle");
  expect(offerOfText()).not.toBeInTheDocument();
  await user.clear(name());
  await waitFor(() => expect(JSON.stringify({ ...window.localStorage })).not.toContain("subtitle"));
});

// spec: text-9
test("a refusal of a new key by the server is shown under the field too", async () => {
  server.use(refusal("post", KEYS, 409, { message: "Key already exists in this screen." }));
  const { user } = await openScreen();

  await enter(user, screen.getByRole("textbox", { name: "Name of the new key" }), "made_elsewhere");
  await user.click(screen.getByRole("button", { name: "Add key" }));

  expect(await screen.findByText("Key already exists in this screen.")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Name of the new key" })).toHaveValue("made_elsewhere");
});

// spec: text-4
test("two pasted columns become keys; what could not be added is listed", async () => {
  const sent: string[] = [];
  server.use(
    http.post(`*${KEYS}`, async ({ request }) => {
      const body = (await request.json()) as { key: string; values: Record<string, string> };
      sent.push(body.key);
      return HttpResponse.json(aKey(body.key, body.values), { status: 201 });
    }),
  );
  const { user } = await openScreen();

  await user.click(screen.getByRole("textbox", { name: "Name of the new key" }));
  await user.paste('first\tThe first\ncta_book\tAgain\nsecond\t"Two\nlines"\n');
  await user.click(await screen.findByRole("button", { name: "Add 3 keys" }));

  expect(await screen.findByText(/2 of 3 keys added/)).toBeVisible();
  expect(screen.getByRole("listitem")).toHaveTextContent("cta_book Key already exists in this screen.");
  expect(sent).toEqual(["first", "second"]);
  expect(cell(/^second, English: Two\s+lines/)).toBeInTheDocument();
});

test("a double click on 'Add 4 keys' does not stop the keys; after a stop the other keys can be added", async () => {
  const sent: string[] = [];
  let arrive = () => {};
  server.use(
    http.post(`*${KEYS}`, async ({ request }) => {
      const body = (await request.json()) as { key: string; values: Record<string, string> };
      sent.push(body.key);
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return HttpResponse.json(aKey(body.key, body.values), { status: 201 });
    }),
  );
  const { user } = await openScreen();
  await user.click(screen.getByRole("textbox", { name: "Name of the new key" }));
  await user.paste("one\tOne\ntwo\tTwo\nthree\tThree\nfour\tFour\n");
  const add = await screen.findByRole("button", { name: "Add 4 keys" });

  await user.click(add);
  // The second click hits the button that has taken its place.
  fireEvent.click(screen.getByRole("button", { name: "Stop" }), { detail: 2 });
  await waitFor(() => expect(sent).toEqual(["one"]));
  act(() => arrive());
  await waitFor(() => expect(sent).toEqual(["one", "two"]));
  fireEvent.click(screen.getByRole("button", { name: "Stop" }), { detail: 1 });
  act(() => arrive());
  expect(await screen.findByText("2 of 4 keys added.")).toBeVisible();

  fireEvent.click(screen.getByRole("button", { name: "Add the other 2 keys" }), { detail: 1 });
  for (const key of ["three", "four"]) {
    await waitFor(() => expect(sent.at(-1)).toBe(key));
    act(() => arrive());
  }
  expect(await screen.findByRole("rowheader", { name: "four" })).toBeInTheDocument();
  expect(await screen.findByRole("textbox", { name: "Name of the new key" })).toBeVisible();
  expect(sent).toEqual(["one", "two", "three", "four"]);
});

// spec: text-5, text-10
test("a key is renamed in place; a name that is taken is reported under its field", async () => {
  const draft: KeyRecord = { ...cta, state: "new" };
  server.use(answer("put", `${KEYS}/cta_book`, { ...draft, key: "cta_reserve", revision: 2 }));
  const { user } = await openScreen([draft, title, saved, help]);

  await user.click(screen.getByRole("button", { name: "Actions for cta_book" }));
  await user.click(await screen.findByRole("menuitem", { name: "Rename" }));
  const field = await screen.findByRole("textbox", { name: "New name for cta_book" });
  await user.clear(field);
  await user.type(field, "help_url{Enter}");
  expect(await screen.findByText("New key name already exists in this screen.")).toBeVisible();
  await user.clear(field);
  await user.type(field, "cta_reserve{Enter}");

  expect(await screen.findByRole("rowheader", { name: "cta_reserve" })).toHaveFocus();
});

test("a key that apps ask for is renamed in a dialog that shows what breaks, and the rename can be undone", async () => {
  const renamed: KeyRecord = { ...cta, key: "cta_reserve", state: "new", renamedFrom: "cta_book", revision: 2 };
  const sent: unknown[] = [];
  server.use(
    http.put(`*${KEYS}/:key`, async ({ request, params }) => {
      const body = (await request.json()) as { key: string };
      sent.push([params["key"], body.key]);
      return HttpResponse.json(body.key === "cta_reserve" ? renamed : { ...cta, revision: 3 });
    }),
  );
  const { user } = await openScreen();

  act(() => screen.getByRole("rowheader", { name: "cta_book" }).focus());
  await user.keyboard("{Enter}");
  const dialog = await screen.findByRole("dialog", { name: "Rename “cta_book”" });
  expect(within(dialog).getByText(/With the next publish they lose/)).toBeVisible();
  await user.keyboard("{Enter}");
  expect(sent).toEqual([]);
  const field = within(dialog).getByRole("textbox", { name: "New name" });
  await user.clear(field);
  await user.type(field, "cta_reserve{Enter}");

  expect(await screen.findByTitle("Apps have this as cta_book until the next publish.")).toHaveTextContent("cta_book");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("rowheader", { name: "cta_book" })).toBeInTheDocument();
  expect(sent).toEqual([
    ["cta_book", "cta_reserve"],
    ["cta_reserve", "cta_book"],
  ]);
});

test("the menu of a key opens its first text", async () => {
  const { user } = await openScreen();

  await user.click(screen.getByRole("button", { name: "Actions for help_url" }));
  await user.click(await screen.findByRole("menuitem", { name: "Edit" }));

  expect(await screen.findByRole("textbox", { name: /help_url/ })).toHaveFocus();
});

// spec: text-5
test("deleting a key asks first and shows what apps keep", async () => {
  server.use(answer("delete", `${KEYS}/cta_book`, { message: "Key deleted." }));
  const { user } = await openScreen();

  await user.click(screen.getByRole("button", { name: "Actions for cta_book" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("Its texts in all languages will be removed. This action cannot be undone.");
  expect(dialog).toHaveTextContent("Apps keep showing what they have until you publish.");
  await user.click(within(dialog).getByRole("button", { name: "Delete key" }));

  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "cta_book" })).not.toBeInTheDocument());
});

test("an empty screen shows what to do and focuses the field for the first key", async () => {
  await openScreen([]);

  expect(screen.getByText(/No texts here yet/)).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Name of the new key" })).toHaveFocus();
});
