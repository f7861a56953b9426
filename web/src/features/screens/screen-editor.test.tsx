import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { hurry } from "@/testing/clock";
import { aKey, aProject, arabic, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { cell, changedNow, cta, german, help, saved, stateOf, title } from "@/testing/screen-keys";
import { KEYS, renderScreen, renderScreenPage } from "@/testing/screen-part";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import type { KeyRecord } from "./queries";

const known = [...languages, arabic];

const openScreen = (keys = [cta, title, saved, help], project: Partial<Project> = {}, path = "home") =>
  renderScreen(keys, project, { at: path, known });

test("Escape reverts, and nothing is sent", async () => {
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.type(screen.getByRole("textbox", { name: "cta_book in German" }), " und zahlen{Escape}");

  expect(cell("cta_book, German: Buchen")).toHaveFocus();
  expect(screen.queryByRole("textbox", { name: "cta_book in German" })).not.toBeInTheDocument();
});

test("leaving a cell saves it", async () => {
  server.use(answer("put", `${KEYS}/cta_book`, german("Los", 2)));
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.clear(screen.getByRole("textbox", { name: "cta_book in German" }));
  await user.keyboard("Los");
  await user.click(screen.getByRole("searchbox", { name: "Filter this screen" }));

  expect(await stateOf("cta_book").findByText("Saved")).toBeVisible();
  expect(cell("cta_book, German: Los")).toBeInTheDocument();
});

// spec: text-6
test("a missing text shows what apps show in its place; a web address is a link: its text opens the editor, its arrow the page", async () => {
  const { user } = await openScreen();

  expect(
    within(cell("empty_saved, German: Missing. Apps show the English text.")).getByText(
      "Missing. Apps show the English text.",
    ),
  ).toBeVisible();
  const link = screen.getByRole("link", { name: "https://aurora.example/help" });
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
  expect(link).toHaveAttribute("target", "_blank");
  const arrow = link.querySelector("svg");
  if (arrow === null) throw new Error("the link has no arrow");
  const opened: boolean[] = [];
  link.addEventListener("click", (event) => opened.push(!event.defaultPrevented));
  await user.click(arrow);
  expect(screen.queryByRole("textbox", { name: "help_url in English" })).not.toBeInTheDocument();
  await user.click(link);
  expect(screen.getByRole("textbox", { name: "help_url in English" })).toHaveValue("https://aurora.example/help");
});

test("a stale revision is sent again by itself if nobody else changed the edited language", async () => {
  const current = aKey("cta_book", { en: "Book it now", de: "Buchen" }, { revision: 5 });
  const revisions: unknown[] = [];
  server.use(
    http.put(`*${KEYS}/cta_book`, async ({ request }) => {
      const body = (await request.json()) as { revision: number };
      revisions.push(body.revision);
      return body.revision === 5
        ? HttpResponse.json({ ...current, values: { en: "Book it now", de: "Los" }, revision: 6 })
        : HttpResponse.json({ message: "Somebody changed it.", code: "stale_revision", current }, { status: 409 });
    }),
  );
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.clear(screen.getByRole("textbox", { name: "cta_book in German" }));
  await user.keyboard("Los{Enter}");

  expect(await stateOf("cta_book").findByText("Saved")).toBeVisible();
  expect(revisions).toEqual([1, 5]);
  expect(cell("cta_book, English: Book it now")).toBeInTheDocument();
});

// spec: text-21
test.each([
  ["Keep mine", "Los", 1],
  ["Use theirs", "Reservieren", 0],
])(
  "two versions of a text, with the name of the other person: '%s' decides which text stays",
  async (choice, kept, resent) => {
    const current = aKey("cta_book", { en: "Book now", de: "Reservieren" }, { revision: 5 });
    const accepted: unknown[] = [];
    server.use(
      http.put(`*${KEYS}/cta_book`, async ({ request }) => {
        const body = (await request.json()) as { revision: number; values: Record<string, string> };
        if (body.revision !== 5) {
          return HttpResponse.json(
            { message: "Somebody changed it.", code: "stale_revision", current, by: "Noor Aziz" },
            { status: 409 },
          );
        }
        accepted.push(body.values);
        return HttpResponse.json(german("Los", 6));
      }),
    );
    const { user } = await openScreen();

    await user.click(cell("cta_book, German: Buchen"));
    await user.clear(screen.getByRole("textbox", { name: "cta_book in German" }));
    await user.keyboard("Los{Enter}");
    const versions = await screen.findByRole("group", { name: "Two versions of cta_book" });
    expect(versions).toHaveTextContent("Noor Aziz changed this text while you were editing it.");
    expect(versions).toHaveTextContent("YoursLos");
    expect(versions).toHaveTextContent("TheirsReservieren");
    expect(accepted).toEqual([]);
    await user.click(within(versions).getByRole("button", { name: choice }));

    await waitFor(() => expect(cell(`cta_book, German: ${kept}`)).toHaveFocus());
    await waitFor(() => expect(accepted).toHaveLength(resent));
  },
);

// spec: text-20
test("an edit that an earlier visit could not send is sent by the next visit", async () => {
  server.use(offline("put", `${KEYS}/cta_book`));
  const first = await openScreen();
  await first.user.click(cell("cta_book, German: Buchen"));
  await first.user.type(screen.getByRole("textbox", { name: "cta_book in German" }), " jetzt{Enter}");
  await screen.findByText(/not saved yet/);
  first.unmount();

  const sent: unknown[] = [];
  server.use(answer("put", `${KEYS}/cta_book`, german("Buchen jetzt", 2), { onCall: (body) => sent.push(body) }));
  await openScreen();

  await waitFor(() => expect(sent).toEqual([{ key: "cta_book", values: { de: "Buchen jetzt" }, revision: 1 }]));
});

test("a text is still shown after a colleague deleted its key, until it is discarded", async () => {
  server.use(
    refusal("put", `${KEYS}/cta_book`, 404, {
      message: 'There is no key "cta_book" in this screen.',
      code: "key_not_found",
    }),
  );
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.type(screen.getByRole("textbox", { name: "cta_book in German" }), "!{Enter}");
  expect(await screen.findByText(/^Somebody deleted home\.cta_book before your text was saved\./)).toBeVisible();
  expect(screen.getByText("Buchen!", { selector: "bdi" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Discard the text" }));

  expect(screen.queryByText(/Somebody deleted/)).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

test("text that is being typed survives the deletion of its key, and the key can be created again with it", async () => {
  hurry();
  const sent: unknown[] = [];
  const made = aKey("cta_book", { en: "Book now", de: "Buchen und mehr" }, { _id: "key_again" });
  server.use(answer("post", KEYS, made, { status: 201, onCall: (body) => sent.push(body) }));
  const { user, queryClient, unmount } = await openScreen();
  await user.click(cell("cta_book, German: Buchen"));
  await enter(user, screen.getByRole("textbox", { name: "cta_book in German" }), " und mehr");

  server.use(answer("get", KEYS, aScreen([title, saved, help])));
  await act(() => queryClient.invalidateQueries());
  expect(await screen.findByText("Buchen und mehr", { selector: "bdi" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveFocus();
  await user.keyboard("e");
  expect(screen.queryByRole("textbox", { name: / in German$/ })).not.toBeInTheDocument();
  unmount();
  const again = await openScreen([title, saved, help]);
  expect(await screen.findByText("Buchen und mehr", { selector: "bdi" })).toBeVisible();
  await again.user.click(screen.getByRole("button", { name: "Copy the text" }));
  expect(await navigator.clipboard.readText()).toBe("Buchen und mehr");
  await again.user.click(screen.getByRole("button", { name: "Create the key again" }));

  expect(
    await screen.findByText(/^home\.cta_book was created again with its texts in English and German/),
  ).toBeInTheDocument();
  await waitFor(() => expect(cell("cta_book, German: Buchen und mehr")).toHaveFocus());
  expect(sent).toEqual([{ key: "cta_book", values: { en: "Book now", de: "Buchen und mehr" } }]);
  expect(screen.queryByRole("button", { name: "Create the key again" })).not.toBeInTheDocument();
});

test("a deleted key without saved texts is created again with the typed text only", async () => {
  const sent: unknown[] = [];
  server.use(
    refusal("put", `${KEYS}/cta_book`, 404, { message: "There is no such key.", code: "key_not_found" }),
    answer("post", KEYS, aKey("cta_book", { de: "Los" }, { _id: "key_again" }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );
  const { user } = await openScreen([aKey("cta_book", { en: "" }), title]);
  await user.click(cell(/^cta_book, German: Missing/));
  await user.keyboard("Los{Enter}");

  await user.click(await screen.findByRole("button", { name: "Create the key again" }));

  expect(await screen.findByText("home.cta_book was created again with your German text only.")).toBeInTheDocument();
  expect(sent).toEqual([{ key: "cta_book", values: { de: "Los" } }]);
});

test("text that is being typed survives the deletion of its screen", async () => {
  const { user, queryClient } = await openScreen();
  await user.click(cell("cta_book, German: Buchen"));
  await enter(user, screen.getByRole("textbox", { name: "cta_book in German" }), " und mehr");

  const gone = { message: "There is no such screen.", code: "screen_not_found" };
  server.use(
    refusal("put", `${KEYS}/cta_book`, 404, gone),
    refusal("get", KEYS, 404, gone),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ tabs: ["general"] })),
  );
  await act(() => queryClient.refetchQueries());

  expect(await screen.findByText(/^Somebody deleted the screen home with the key cta_book/)).toBeVisible();
  expect(screen.getByText("Buchen und mehr")).toBeVisible();
  expect(screen.getByRole("button", { name: "Copy the text" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Create the key again" })).not.toBeInTheDocument();
});

test("a refused edit keeps its text, shows why, and can be sent again", async () => {
  server.use(refusal("put", `${KEYS}/cta_book`, 422, { message: "Texts may have at most 20,000 characters." }));
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.type(screen.getByRole("textbox", { name: "cta_book in German" }), "!{Enter}");
  expect(await screen.findByText("Texts may have at most 20,000 characters.")).toBeVisible();

  server.use(answer("put", `${KEYS}/cta_book`, german("Buchen!", 2)));
  await user.click(screen.getByRole("button", { name: "Retry saving cta_book" }));
  expect(await stateOf("cta_book").findByText("Saved")).toBeVisible();
});

// spec: text-18
test("a lost placeholder is reported under the translation, while it is typed and after", async () => {
  hurry();
  const { user } = await openScreen([aKey("price", { en: "From %1$s a night", de: "Ab %1$s" })]);
  server.use(answer("put", `${KEYS}/price`, aKey("price", { en: "From %1$s a night", de: "Ab" }, { revision: 2 })));
  expect(stateOf("price").queryByText("Check")).not.toBeInTheDocument();

  await user.click(cell("price, German: Ab %1$s"));
  await user.clear(screen.getByRole("textbox", { name: "price in German" }));
  await user.keyboard("Ab");
  expect(screen.getByText("Placeholder %1$s is missing here.")).toBeVisible();
  await user.keyboard("{Enter}");

  expect(screen.getByText("Placeholder %1$s is missing here.")).toBeVisible();
  expect(await stateOf("price").findByText("Check")).toBeVisible();
});

// spec: text-3
test("a right-to-left language is written from right to left in its cell and its editor, and the choice is remembered", async () => {
  const greeting = aKey("greeting", { en: "Hello", de: "Hallo", ar: "مرحبا" });
  const project = { languages: ["en", "de", "ar"] };
  const { user, unmount } = await openScreen([greeting], project);

  await user.selectOptions(screen.getByRole("combobox", { name: "Second language" }), "ar");
  const shown = within(cell("greeting, Arabic: مرحبا")).getByText("مرحبا");
  expect(shown).toHaveAttribute("dir", "rtl");
  expect(shown).toHaveAttribute("lang", "ar");
  await user.click(shown);
  expect(screen.getByRole("textbox", { name: "greeting in Arabic" })).toHaveAttribute("dir", "rtl");
  unmount();

  await openScreen([greeting], project);
  expect(cell("greeting, Arabic: مرحبا")).toBeInTheDocument();
});

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

// spec: text-17
test("the filters count and show; a row that no longer matches stays until the filter is chosen again", async () => {
  server.use(answer("put", `${KEYS}/empty_saved`, { ...saved, values: { en: "x", de: "Leer" }, revision: 2 }));
  const { user } = await openScreen();
  expect(screen.getByRole("button", { name: "All 4" })).toHaveAttribute("aria-pressed", "true");
  expect(screen.queryByRole("button", { name: /Written by AI/ })).not.toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Missing 2" }));
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "cta_book" })).not.toBeInTheDocument());
  await user.click(cell("empty_saved, German: Missing. Apps show the English text."));
  await user.keyboard("Leer{Enter}");
  expect(await screen.findByRole("button", { name: "Missing 1" })).toBeInTheDocument();
  expect(screen.getByRole("rowheader", { name: "empty_saved" })).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Missing 1" }));
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "empty_saved" })).not.toBeInTheDocument());
});

test("'f' goes to the filter, which finds keys and texts whatever their case and accents", async () => {
  const { user } = await openScreen([cta, aKey("farewell", { en: "Bye", de: "Tschüss" })]);

  await user.keyboard("f");
  expect(screen.getByRole("searchbox", { name: "Filter this screen" })).toHaveFocus();
  await user.keyboard("TSCHUS");

  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "cta_book" })).not.toBeInTheDocument());
  expect(screen.getByRole("rowheader", { name: "farewell" })).toBeInTheDocument();
});

// spec: text-16
test("a viewer reads the texts, reads why they can't be changed, and can change nothing", async () => {
  const { user } = await openScreen(undefined, { role: "viewer", permissions: ["read"] });

  expect(
    screen.getByText("Viewers can't change content. Ask an admin of this project for the editor role."),
  ).toBeVisible();
  expect(screen.getByRole("grid")).toHaveAttribute("aria-readonly", "true");
  expect(screen.queryByRole("textbox", { name: "Name of the new key" })).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Add language" })).not.toBeInTheDocument();
  await user.click(cell("cta_book, German: Buchen"));
  await user.keyboard("{Enter}");
  expect(screen.queryByRole("textbox", { name: "cta_book in German" })).not.toBeInTheDocument();
});

test("languages of the project are marked and can't be chosen; the first language that can be chosen is selected", async () => {
  const { user } = await openScreen();
  await user.click(screen.getByRole("button", { name: "Add language" }));

  const list = within(await screen.findByRole("listbox", { name: "Languages" }));
  const german = list.getByRole("option", { name: /German/ });
  expect(german).toHaveAttribute("aria-disabled", "true");
  expect(german).toHaveTextContent("Added");
  expect(list.getByRole("option", { name: /Arabic/ })).toHaveAttribute("aria-selected", "true");
  await user.click(german);
  expect(screen.getByRole("button", { name: "Add Arabic" })).toBeEnabled();
});

test("a code with a region is accepted in its one spelling", async () => {
  const { user } = await openScreen();
  const sent: unknown[] = [];
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/languages`, aProject({ languages: ["en", "de", "de-AT"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "de-at");
  await user.click(screen.getByRole("button", { name: "Add de-AT" }));

  await waitFor(() => expect(sent).toEqual([{ language: "de-AT" }]));
});

// spec: ai-14
test("an unknown language is reported once, and can't be sent", async () => {
  const { user } = await openScreen();

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "Klingon{Enter}{Enter}");

  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getAllByText("Not a directly supported language. Please use ISO code or full name.")).toHaveLength(1);
  expect(dialog.getByRole("button", { name: "Add language" })).toBeDisabled();
});

// spec: ai-15
test("a refused language keeps the dialog open and shows why", async () => {
  const { user } = await openScreen();
  const message = "This language is already in your project.";
  server.use(refusal("post", `/api/projects/${PROJECT_ID}/languages`, 409, { message, fields: { language: message } }));

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "Arabic{Enter}{Enter}");

  expect(await screen.findByText(message)).toBeVisible();
});

test("a long text is cut until a person opens all of it", async () => {
  // jsdom lays nothing out: every text is taller than its box.
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(500);
  const long = "All of a long text. ".repeat(250);
  const { user } = await openScreen([aKey("terms", { en: long, de: "Kurz" })]);

  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(screen.queryByRole("textbox", { name: "terms in English" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Show less" }));

  expect(screen.getByRole("button", { name: "Show all" })).toHaveAttribute("aria-expanded", "false");
  height.mockRestore();
});

test("a key without any text counts as no change", async () => {
  const fresh = { en: { ...changedNow, state: "new" as const } };
  await openScreen([cta, aKey("later", {}), aKey("blank", { en: "" }, { meta: fresh })]);

  expect(stateOf("later").getByText("No text yet")).toBeVisible();
  expect(stateOf("blank").getByText("No text yet")).toBeVisible();
  expect(screen.getByRole("button", { name: "Changed 0" })).toBeInTheDocument();
});

test("Escape empties the filter, and a second Escape returns to the cell", async () => {
  const { user } = await openScreen();
  act(() => cell("cta_book, German: Buchen").focus());

  await user.keyboard("{Control>}f{/Control}cta{Escape}");
  const filter = screen.getByRole("searchbox", { name: "Filter this screen" });
  expect(filter).toHaveValue("");
  expect(filter).toHaveFocus();
  await user.keyboard("{Escape}");

  expect(cell("cta_book, German: Buchen")).toHaveFocus();
});

test("the branches of a plural are isolated, its syntax reads from left to right", async () => {
  const plural = "{count, plural, one {رحلة {name}} other {# رحلات}}";
  await openScreen([aKey("trips", { en: "{count} trips", ar: plural })], { languages: ["en", "ar"] });

  const branch = screen.getByText("# رحلات");
  expect(branch.tagName).toBe("BDI");
  expect(branch.parentElement).toHaveAttribute("dir", "ltr");
  expect(branch.parentElement).toHaveTextContent(plural);
});

test("an empty screen shows what to do and focuses the field for the first key", async () => {
  await openScreen([]);

  expect(screen.getByText(/No texts here yet/)).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Name of the new key" })).toHaveFocus();
});

// spec: text-11
test("keys that can't be loaded show an error and can be loaded again", async () => {
  const { user } = renderScreenPage([cta]);
  server.use(offline("get", KEYS));
  expect(await screen.findByText("Failed to load translations for home")).toBeVisible();

  server.use(answer("get", KEYS, aScreen([cta])));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("rowheader", { name: "cta_book" })).toBeInTheDocument();
});
