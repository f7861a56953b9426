import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { endSession } from "@/lib/session";
import { renderInProject } from "@/testing/component";
import { anItem, arabic, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { StorePage } from "./store-page";

type Item = Answer<"/api/stores/items/{itemId}", "get">[number];

type Opened = Awaited<ReturnType<typeof openItem>>;

const ITEMS = "/api/stores/items/sto_1";

const ITEM = "/api/stores/items/itm_1";

const PAGE = `/projects/${PROJECT_ID}/stores/destinations`;

const project: Partial<Project> = { languages: ["en", "de", "ar"] };

const lofoten = anItem({ title: { en: "Lofoten" }, price: 129, open: true, story: { en: "<p>North.</p>" } });

/** Without the formatting editor, which takes long to draw here, where a test is not about it. */
const plain = aStore({ fields: aStore().fields.filter(({ type }) => type !== "RichText") });

async function openItem(
  items: Item[] = [lofoten],
  values: Partial<Project> = project,
  button?: string,
  store: ReturnType<typeof aStore> = plain,
) {
  server.use(
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    answer("get", `/api/stores/${PROJECT_ID}/destinations`, store),
    answer("get", ITEMS, items),
  );
  const opened = renderInProject(<StorePage />, values, {
    at: "stores/destinations",
    pattern: "stores/:apiIdentifier",
  });
  const isNew = button === "Add New Item";
  await opened.user.click(await screen.findByRole("button", { name: button ?? "Edit: “Lofoten”" }));
  const dialog = within(await screen.findByRole("dialog", { name: isNew ? "Add New Item" : "Edit Item" }));
  await dialog.findByRole("textbox", { name: "title" });
  return { ...opened, dialog };
}

const openRich = async () => {
  const opened = await openItem([lofoten], project, undefined, aStore());
  // It is loaded when it is first shown.
  await opened.dialog.findByRole("textbox", { name: "story" }, { timeout: 15_000 });
  return opened;
};

const openNew = () => openItem([], project, "Add New Item");

/** Notes the payloads of saves, each answered with the item a revision further. */
function saves(method: "post" | "put", path: string, item: Item = lofoten) {
  const sent: { data: Record<string, unknown>; revision?: number }[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      return HttpResponse.json({ ...item, revision: item.revision + 1 }, { status: method === "post" ? 201 : 200 });
    }),
  );
  return sent;
}

const type = async ({ user, dialog }: Opened, name: string, text: string) => {
  await user.clear(dialog.getByRole("textbox", { name }));
  await user.paste(text);
};

// spec: items-7, items-8, items-13
test("a new item is sent with the values that were given, each as its type", async () => {
  const opened = await openNew();
  const { user, dialog } = opened;
  const sent = saves("post", ITEMS);

  expect(dialog.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["🇬🇧 English", "🇩🇪 German", "🇸🇦 Arabic"]);
  expect(dialog.getByRole("textbox", { name: "photo" })).toHaveAttribute("placeholder", "Enter image or file URL");
  await type(opened, "title", "Oslo");
  await user.click(dialog.getByRole("spinbutton", { name: "price" }));
  await user.keyboard("9.5");
  fireEvent.change(dialog.getByLabelText("from"), { target: { value: "2026-05-14" } });
  await user.click(dialog.getByRole("textbox", { name: "photo" }));
  await user.paste("https://example.com/a.png");
  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Oslo!");
  await user.click(dialog.getByRole("button", { name: "Add item" }));

  expect(await screen.findByText("Item created successfully!")).toBeInTheDocument();
  expect(sent).toEqual([
    {
      data: {
        title: { en: "Oslo", de: "Oslo!" },
        price: 9.5,
        open: false,
        from: "2026-05-14",
        photo: "https://example.com/a.png",
      },
    },
  ]);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(await screen.findByRole("table")).toHaveTextContent("Lofoten");
});

// spec: items-11
test("a required value is asked for where it belongs, whichever tab is open", async () => {
  const { user, dialog } = await openNew();
  const sent = saves("post", ITEMS);
  expect(dialog.getByRole("textbox", { name: "title" })).toBeRequired();
  expect(dialog.getByRole("textbox", { name: "photo" })).not.toBeRequired();

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  expect(dialog.getByRole("textbox", { name: "title" })).not.toBeRequired();
  await user.click(dialog.getByRole("button", { name: "Add item" }));

  expect(dialog.getByRole("tab", { name: /English/ })).toHaveAttribute("aria-selected", "true");
  expect(dialog.getByText("This field is required.")).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveFocus();
  expect(sent).toEqual([]);
});

// spec: items-10
test("a field that is not translatable is off in other languages, and shows why", async () => {
  const { user, dialog } = await openItem();

  await user.click(dialog.getByRole("tab", { name: /German/ }));

  for (const name of ["price", "open", "from", "photo"]) {
    expect(dialog.getByRole("textbox", { name })).toBeDisabled();
    expect(dialog.getByRole("textbox", { name })).toHaveValue("(Not translatable)");
  }
  expect(dialog.getByRole("textbox", { name: "title" })).toBeEnabled();
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveAttribute("placeholder", "Lofoten");
});

// spec: items-12
test("a right-to-left language is written from right to left", async () => {
  const { user, dialog } = await openRich();

  await user.click(dialog.getByRole("tab", { name: /Arabic/ }));

  expect(dialog.getByRole("textbox", { name: "title" }).closest("[dir]")).toHaveAttribute("dir", "rtl");
  expect(await dialog.findByRole("textbox", { name: "story" })).toHaveAttribute("dir", "rtl");
});

// spec: items-7
test("the arrow keys go through the languages", async () => {
  const { user, dialog } = await openItem();

  await user.click(dialog.getByRole("tab", { name: /English/ }));
  await user.keyboard("{ArrowLeft}");
  expect(dialog.getByRole("tab", { name: /Arabic/ })).toHaveFocus();
  expect(dialog.getByRole("tab", { name: /Arabic/ })).toHaveAttribute("aria-selected", "true");
});

// spec: items-14
test("only changed values are sent, and null for emptied values", async () => {
  const opened = await openItem();
  const sent = saves("put", ITEM);

  await opened.user.clear(opened.dialog.getByRole("spinbutton", { name: "price" }));
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Die Lofoten");
  await opened.user.keyboard("{Control>}{Enter}{/Control}");

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ data: { title: { de: "Die Lofoten" }, price: null }, revision: 1 }]);
});

// spec: items-8
test("formatted text is written with the toolbar and sent as HTML", async () => {
  const { user, dialog } = await openRich();
  const sent = saves("put", ITEM);

  expect(dialog.getByRole("textbox", { name: "story" })).toHaveTextContent("North.");
  await user.click(dialog.getByRole("button", { name: "Heading" }));
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  await waitFor(() => expect(sent).toEqual([{ data: { story: { en: "<h2>North.</h2>" } }, revision: 1 }]));
});

test("the lines of a plain value become paragraphs and line breaks when it is edited", async () => {
  const story = { en: "North of <b>it</b> all.\r\nCold &amp; clear.\n\nGo." };
  const { user, dialog } = await openItem(
    [{ ...lofoten, data: { ...lofoten.data, story } }],
    project,
    undefined,
    aStore(),
  );
  const sent = saves("put", ITEM);
  await dialog.findByRole("textbox", { name: "story" }, { timeout: 15_000 });

  await user.click(dialog.getByRole("button", { name: "Quote" }));
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  const html = "<blockquote><p>North of <strong>it</strong> all.<br>Cold &amp; clear.</p></blockquote><p>Go.</p>";
  await waitFor(() => expect(sent).toEqual([{ data: { story: { en: html } }, revision: 1 }]));
});

// spec: items-9
test("an image is chosen from the project's library", async () => {
  const { user, dialog } = await openItem();
  const sent = saves("put", ITEM);
  const image = { width: 10, height: 10, bytes: 10, contentType: "image/png", thumbhash: "", revision: 1 };
  server.use(
    answer("get", `/api/images/${PROJECT_ID}`, [
      {
        ...image,
        _id: "img_1",
        key: "lofoten",
        url: `http://x/media/${PROJECT_ID}/lofoten`,
        updatedAt: "2026-11-19T10:00:00Z",
      },
    ]),
  );

  await user.click(dialog.getByRole("button", { name: "Choose image for photo" }));
  await user.click(await dialog.findByRole("button", { name: "lofoten" }));
  expect(dialog.getByRole("textbox", { name: "photo" })).toHaveValue(`/media/${PROJECT_ID}/lofoten`);
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  await waitFor(() => expect(sent).toEqual([{ data: { photo: `/media/${PROJECT_ID}/lofoten` }, revision: 1 }]));
});

// spec: items-16
test.each([
  ["post", ITEMS, "Failed to create item."],
  ["put", ITEM, "Failed to update item."],
] as const)("a %s that fails shows an error and keeps what was typed", async (method, path, text) => {
  const opened = method === "post" ? await openNew() : await openItem();
  server.use(offline(method, path));

  await type(opened, "title", "Lofoten, again");
  await opened.user.keyboard("{Control>}{Enter}{/Control}");

  expect(await opened.dialog.findByText(`${text} The server can't be reached. Please try again.`)).toBeVisible();
  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveValue("Lofoten, again");
});

test("the server's refusal of a value is shown at its field, in the tab of its language", async () => {
  const opened = await openItem();
  server.use(
    refusal("put", ITEM, 422, {
      message: "Use at most 20,000 characters.",
      fields: { "data.title.de": "Use at most 20,000 characters." },
    }),
  );

  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Die Lofoten");
  await opened.user.click(opened.dialog.getByRole("tab", { name: /English/ }));
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  expect(await opened.dialog.findByText("Use at most 20,000 characters.")).toBeVisible();
  expect(opened.dialog.getByRole("tab", { name: /German/ })).toHaveAttribute("aria-selected", "true");
  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveFocus();
});

// spec: items-19
test("closing the dialog with unsaved text asks first", async () => {
  const opened = await openItem();
  const { user, dialog } = opened;
  await type(opened, "title", "Half a word");

  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  const asked = within(await screen.findByRole("dialog", { name: "Discard your changes?" }));
  await user.click(asked.getByRole("button", { name: "Keep editing" }));
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Half a word");

  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("closing an unchanged dialog asks nothing", async () => {
  const opened = await openItem();
  await type(opened, "title", "Half a word");
  await type(opened, "title", "Lofoten");

  await opened.user.click(opened.dialog.getByRole("button", { name: "Cancel" }));

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: items-19
test("leaving the page, or closing the tab, asks first about unsaved text", async () => {
  const opened = await openItem();
  const leave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(true);
  await type(opened, "title", "Half a word");

  expect(leave()).toBe(false);
  void opened.router.navigate(`/projects/${PROJECT_ID}/colors`);
  await opened.user.click(await screen.findByText("Keep editing"));
  await waitFor(() => expect(screen.queryByText("Keep editing")).not.toBeInTheDocument());
  expect(opened.router.state.location.pathname).toBe(PAGE);
  server.use(answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }));
  void opened.router.navigate(`/projects/${PROJECT_ID}/colors`);
  await opened.user.click(await screen.findByText("Discard changes"));
  await waitFor(() => expect(opened.router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/colors`));
});

/** A server on which a colleague has written `current` since the dialog opened. */
function changedMeanwhile(current: Item) {
  const sent: { data: unknown; revision: number }[] = [];
  server.use(
    http.put(`*${ITEM}`, async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      return body.revision === current.revision
        ? HttpResponse.json({ ...current, revision: current.revision + 1 })
        : HttpResponse.json({ message: "Stale.", code: "stale_revision", current }, { status: 409 });
    }),
  );
  return sent;
}

// spec: items-20
test("a colleague's text for the same value is shown, and 'Save mine' saves the own text", async () => {
  const opened = await openItem();
  const current = anItem({ title: { en: "Senja" }, price: 7 }, { revision: 4, updatedBy: "Grace Hopper" });
  const sent = changedMeanwhile(current);
  await type(opened, "title", "Vesterålen");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  const conflict = await opened.dialog.findByText(/^Grace Hopper changed this item while you were writing:/);
  expect(conflict).toHaveTextContent("title (English): “Senja”");
  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveValue("Vesterålen");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save mine" }));

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent.map(({ revision }) => revision)).toEqual([1, 4]);
});

// spec: items-20
test("'Use theirs' replaces the own text of that value, and of no other value", async () => {
  const opened = await openItem();
  const sent = changedMeanwhile(anItem({ title: { en: "Senja" } }, { revision: 4 }));
  await type(opened, "title", "Vesterålen");
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Meins");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));
  await opened.user.click(await opened.dialog.findByRole("button", { name: "Use theirs" }));

  expect(opened.dialog.getByRole("textbox", { name: "title" })).toHaveValue("Meins");
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ data: { title: { de: "Meins" } }, revision: 4 }));
});

test("changes of different values are saved together without a question", async () => {
  const opened = await openItem();
  const sent = changedMeanwhile(anItem({ title: { en: "Senja" } }, { revision: 4 }));
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  await type(opened, "title", "Meins");

  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent.map(({ revision }) => revision)).toEqual([1, 4]);
});

test("what was written in an item is offered again after the page was left, in every language", async () => {
  const first = await openItem();
  await type(first, "title", "Vesterålen");
  await first.user.click(first.dialog.getByRole("checkbox", { name: "open" }));
  await first.user.click(first.dialog.getByRole("tab", { name: /German/ }));
  await type(first, "title", "Die Vesterålen");
  first.unmount();

  const { user, dialog } = await openItem();
  const sent = saves("put", ITEM);
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Lofoten");
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Vesterålen");
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  expect(await screen.findByText("Item updated successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ data: { title: { en: "Vesterålen", de: "Die Vesterålen" }, open: false }, revision: 1 }]);
  await user.click(await screen.findByRole("button", { name: "Edit: “Lofoten”" }));
  await screen.findByRole("dialog", { name: "Edit Item" });
  expect(offerOfText()).not.toBeInTheDocument();
});

test("the text of a new item is kept for new items only, and 'Discard changes' gives it up", async () => {
  const first = await openNew();
  await type(first, "title", "Oslo");
  first.unmount();

  const edited = await openItem();
  expect(offerOfText()).not.toBeInTheDocument();
  edited.unmount();

  const { user, dialog, unmount } = await openNew();
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Oslo");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  unmount();

  await openNew();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("kept text of a value that a colleague changed is shown beside the colleague's text", async () => {
  const first = await openItem();
  await type(first, "title", "Vesterålen");
  first.unmount();

  const current = anItem({ title: { en: "Senja" }, price: 7 }, { revision: 4, updatedBy: "Grace Hopper" });
  const opened = await openItem([current], project, "Edit: “Senja”");
  const sent = changedMeanwhile(current);
  await opened.user.click(await findOfferOfText());
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  expect(await opened.dialog.findByText(/^Grace Hopper changed this item while you were writing:/)).toBeVisible();
  expect(sent.map(({ revision }) => revision)).toEqual([1]);
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save mine" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ data: { title: { en: "Vesterålen" } }, revision: 4 }));
});

test("kept text is saved together with a colleague's change elsewhere in the item", async () => {
  const first = await openItem();
  await type(first, "title", "Vesterålen");
  first.unmount();

  const current = anItem({ title: { en: "Lofoten", de: "Senja" }, price: 7 }, { revision: 4 });
  const opened = await openItem([current]);
  const sent = changedMeanwhile(current);
  await opened.user.click(await findOfferOfText());
  await opened.user.click(opened.dialog.getByRole("button", { name: "Save changes" }));

  await waitFor(() => expect(sent).toEqual([{ data: { title: { en: "Vesterålen" } }, revision: 4 }]));
});

test("the end of the session asks nothing and keeps what was written", async () => {
  const opened = await openItem();
  await type(opened, "title", "Vesterålen");

  endSession("expired");
  void opened.router.navigate("/login");

  await waitFor(() => expect(opened.router.state.location.pathname).toBe("/login"));
  expect(screen.queryByText("Discard your changes?")).not.toBeInTheDocument();
  opened.unmount();
  await openItem();
  expect(await findOfferOfText()).toBeVisible();
});

const FILL = `${ITEM}/auto-translate`;

const filled = anItem(
  { title: { en: "Lofoten", de: "Die Lofoten" }, story: { en: "<p>North.</p>" } },
  { revision: 3, aiWritten: ["title/de"] },
);

// spec: items-21
test("AI fills what a language lacks, shows what it left out, and marks its texts until a person changes them", async () => {
  const sent: unknown[] = [];
  const opened = await openItem();
  const { user, dialog } = opened;
  server.use(
    answer(
      "post",
      FILL,
      { item: filled, provider: "pseudo", failed: [{ field: "story", reason: "A placeholder was lost." }] },
      { onCall: (body) => sent.push(body) },
    ),
  );

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await dialog.findByText(/^AI filled 1 text in German\. It is saved in the draft\./)).toBeVisible();
  expect(screen.queryByText("AI auto-fill complete!")).not.toBeInTheDocument();
  // The dialog has a second close button, the cross.
  expect(dialog.getAllByRole("button", { name: "Close" })).toHaveLength(2);
  expect(dialog.queryByRole("button", { name: "Cancel" })).not.toBeInTheDocument();
  expect(sent).toEqual([{ targetLanguage: "de", referenceLanguage: "en", overwrite: false }]);
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveValue("Die Lofoten");
  expect(dialog.getByText("AI")).toBeVisible();
  expect(dialog.getByText(/^Pseudo-localization/)).toBeVisible();
  expect(dialog.getByText(/^: A placeholder was lost\.$/)).toHaveTextContent("story: A placeholder was lost.");
  await type(opened, "title", "Lofoten auf Deutsch");
  expect(dialog.queryByText("AI")).not.toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
});

test("AI that could fill no text shows that and why, and does not report success", async () => {
  const { user, dialog } = await openItem();
  const failed = [{ field: "title", reason: "A placeholder was lost." }];
  server.use(answer("post", FILL, { item: lofoten, provider: "openai", failed }));

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  const notice = await dialog.findByRole("alert");
  expect(notice).toHaveTextContent(
    "AI filled no text in German. 1 text was left as it is:title: A placeholder was lost.",
  );
  expect(screen.queryByText("AI auto-fill complete!")).not.toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
});

// spec: items-24
test("what was typed is saved before AI reads the item", async () => {
  const calls: string[] = [];
  const opened = await openItem();
  server.use(
    answer(
      "put",
      ITEM,
      { ...lofoten, data: { title: { en: "Senja" } }, revision: 2 },
      { onCall: () => calls.push("save") },
    ),
    answer("post", FILL, { item: filled, provider: "openai", failed: [] }, { onCall: () => calls.push("fill") }),
  );

  await type(opened, "title", "Senja");
  await opened.user.click(opened.dialog.getByRole("tab", { name: /German/ }));
  expect(opened.dialog.getByText("Your changes are saved first.")).toBeVisible();
  await opened.user.click(opened.dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await screen.findByText("AI auto-fill complete!")).toBeInTheDocument();
  expect(calls).toEqual(["save", "fill"]);
});

test("existing texts are replaced only on request", async () => {
  const sent: { overwrite?: boolean }[] = [];
  const { user, dialog } = await openItem([anItem({ title: { en: "Lofoten", de: "Von Hand" } })]);
  server.use(
    answer(
      "post",
      FILL,
      { item: filled, provider: "openai", failed: [] },
      { onCall: (body) => sent.push(body as object) },
    ),
  );

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));
  const asked = within(await screen.findByRole("dialog", { name: "Replace the German texts?" }));
  await user.click(asked.getByRole("button", { name: "Replace with AI" }));

  expect(await screen.findByText("AI auto-fill complete!")).toBeInTheDocument();
  expect(sent).toEqual([expect.objectContaining({ overwrite: true })]);
});

// spec: items-22
test("a new item has to be saved before AI fills it", async () => {
  const { user, dialog } = await openNew();
  await user.click(dialog.getByRole("tab", { name: /German/ }));

  const button = dialog.getByRole("button", { name: "Auto-fill with AI" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);

  expect(await dialog.findByRole("alert")).toHaveTextContent("Please save the item before using auto-translate.");
});

// spec: items-23
test("AI fills from the default language, never the default language", async () => {
  const { user, dialog } = await openItem();

  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await dialog.findByText("Invalid reference or target language for auto-fill.")).toBeVisible();
});

test("AI needs an active plan", async () => {
  const { user, dialog } = await openItem([lofoten], { ...project, plan: "free", activeTier: "none" });

  await user.click(dialog.getByRole("tab", { name: /German/ }));
  await user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent(/^This project does not have an active plan\./);
});

// spec: items-25
test("AI that fails shows the server's message, or a text of the dashboard", async () => {
  const { user, dialog } = await openItem();
  await user.click(dialog.getByRole("tab", { name: /German/ }));
  const fill = () => user.click(dialog.getByRole("button", { name: "Auto-fill with AI" }));

  server.use(refusal("post", FILL, 503, { message: "The translation service is down." }));
  await fill();
  expect(await dialog.findByText("The translation service is down.")).toBeVisible();
  server.use(answer("post", FILL, {}, { status: 500 }));
  await fill();
  expect(await dialog.findByText("Failed to auto-translate item.")).toBeVisible();
  server.use(offline("post", FILL));
  await fill();
  expect(
    await dialog.findByText("Failed to auto-fill item. The server can't be reached. Please try again."),
  ).toBeVisible();
});
