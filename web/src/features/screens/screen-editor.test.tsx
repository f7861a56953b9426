/** Editing, reading and filtering the texts of a screen. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { hurry } from "@/testing/clock";
import { aKey, aScreen } from "@/testing/fixtures";
import { openScreen } from "@/testing/screen-editor";
import { cell, changedNow, cta, german, saved, stateOf } from "@/testing/screen-keys";
import { KEYS, renderScreenPage } from "@/testing/screen-part";
import { answer, offline, refusal, server } from "@/testing/server";

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

// spec: text-11
test("keys that can't be loaded show an error and can be loaded again", async () => {
  const { user } = renderScreenPage([cta]);
  server.use(offline("get", KEYS));
  expect(await screen.findByText("Failed to load translations for home")).toBeVisible();

  server.use(answer("get", KEYS, aScreen([cta])));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("rowheader", { name: "cta_book" })).toBeInTheDocument();
});
