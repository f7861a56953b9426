/** A text while it is open: it stays in sight, it stays open when the focus is only borrowed, and it can be given up. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { expect, test, vi } from "vitest";
import { withLocks } from "@/testing/browser";
import { aKey } from "@/testing/fixtures";
import { cta, title } from "@/testing/screen";
import { KEYS, renderScreen, renderScreenPage } from "@/testing/screen-part";
import { answer, refusal, server } from "@/testing/server";

async function openScreen(...answers: RequestHandler[]) {
  server.use(...answers);
  const opened = await renderScreen([cta, title], { languages: ["en", "de", "ar"] });
  const openCell = async (name: string, field: string) => {
    await opened.user.click(screen.getByRole("gridcell", { name }));
    return screen.getByRole("textbox", { name: field });
  };
  return { ...opened, openCell };
}

const BUCHEN = "cta_book, German: Buchen";

const FIELD = "cta_book in German";

const NEVER_SAVED = "This text was typed here and never saved.";

const saves = (sent: unknown[]) => answer("put", `${KEYS}/cta_book`, cta, { onCall: (body) => sent.push(body) });

test("a text stays open while another window has the focus", async () => {
  const sent: unknown[] = [];
  const { user, openCell } = await openScreen(saves(sent));
  const field = await openCell(BUCHEN, FIELD);
  await user.type(field, " und");

  // The field stays the current one of its page.
  fireEvent.blur(field);

  expect(field).toBeInTheDocument();
  await user.keyboard(" mehr{Enter}");
  await waitFor(() => expect(sent).toEqual([{ key: "cta_book", values: { de: "Buchen und mehr" }, revision: 1 }]));
});

test("a filter, and 'Show all' of a long text, leave a half-written text open and unsaved", async () => {
  // jsdom lays nothing out: every text is taller than its box.
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(500);
  const sent: unknown[] = [];
  server.use(saves(sent));
  const many = Array.from({ length: 70 }, (_, index) => aKey(`more_${index}`, { en: `More ${index}`, de: "Mehr" }));
  const long = aKey("long", { en: "All of a long text. ".repeat(10) });
  const { user } = await renderScreen([cta, long, ...many], { languages: ["en", "de", "ar"] });

  await user.click(screen.getByRole("button", { name: "Missing 1" }));
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "cta_book" })).not.toBeInTheDocument());
  await user.click(screen.getByRole("gridcell", { name: "long, German: Missing. Apps show the English text." }));
  await user.keyboard("Halb");
  await user.click(screen.getByRole("button", { name: "Show all" }));
  await user.click(screen.getByRole("button", { name: "All 72" }));

  const field = screen.getByRole("textbox", { name: "long in German" });
  expect(field).toHaveFocus();
  expect(field).toHaveValue("Halb");
  await user.click(screen.getByRole("button", { name: "Changed 0" }));
  await user.keyboard(" fertig");
  expect(field).toHaveValue("Halb fertig");
  expect(field).toBeInTheDocument();
  await user.keyboard("{Escape}");
  expect(sent).toEqual([]);
});

test("a text over the limit stays open and shows why, until it is reverted", async () => {
  const sent: unknown[] = [];
  const { user, openCell } = await openScreen(saves(sent));
  const field = await openCell(BUCHEN, FIELD);
  await user.paste("x".repeat(20_000));

  await user.keyboard("{Enter}");
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(screen.getByRole("alert")).toHaveTextContent("Too long to be saved: 20,006 of at most 20,000 characters");
  expect(field).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("gridcell", { name: BUCHEN })).toHaveFocus();
  expect(sent).toEqual([]);
});

test("the limit counts characters: an emoji counts once", async () => {
  const sent: unknown[] = [];
  const { user, openCell } = await openScreen(saves(sent));
  const field = await openCell(BUCHEN, FIELD);

  await user.clear(field);
  await user.paste("🏔".repeat(12_000));
  await user.keyboard("{Enter}");

  await waitFor(() => expect(sent).toHaveLength(1));
});

test("a refused text can be discarded: the last saved text is shown again", async () => {
  const reason = "Use at most 20,000 characters.";
  const refused = { message: `values.de: ${reason}`, fields: { "values.de": reason } };
  const { user, openCell } = await openScreen(refusal("put", `${KEYS}/cta_book`, 422, refused));
  const field = await openCell(BUCHEN, FIELD);
  await user.type(field, "!{Enter}");
  expect(await screen.findByText(reason)).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Discard the unsaved text of cta_book" }));

  expect(screen.getByRole("gridcell", { name: BUCHEN })).toBeVisible();
  expect(screen.queryByText("Not saved.")).not.toBeInTheDocument();
  expect(document.activeElement).toHaveAttribute("role", "gridcell");
});

test("text that is being typed in a different tab is offered once that tab is closed, not before", async () => {
  const endFirst = withLocks();
  const { user, openCell } = await openScreen();
  const field = await openCell(BUCHEN, FIELD);
  await user.type(field, " und");

  const second = within(renderScreenPage([cta, title], { languages: ["en", "de", "ar"] }).container);
  expect(await second.findByRole("gridcell", { name: BUCHEN })).toBeVisible();
  await user.type(field, " mehr");
  expect(second.getByRole("gridcell", { name: BUCHEN })).toBeVisible();
  expect(second.queryByText(NEVER_SAVED)).not.toBeInTheDocument();
  endFirst();

  expect(await second.findByText(NEVER_SAVED)).toBeVisible();
  expect(second.getByText("Buchen und mehr")).toBeVisible();
  await user.type(field, "{Escape}");
});
