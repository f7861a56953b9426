/** An open text beside other parts of the page. */
import { act, screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { aDiff, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { openScreen as openWithAi } from "@/testing/screen";
import { cell, cta } from "@/testing/screen-keys";
import { answer, offline, server } from "@/testing/server";
import { KEYS, openScreen } from "@/testing/translation-page";

const BUCHEN = "cta_book, German: Buchen";

const FIELD = "cta_book in German";

const saves = (sent: unknown[]) => answer("put", `${KEYS}/cta_book`, cta, { onCall: (body) => sent.push(body) });

test("the review that Ctrl+Enter opens gives the focus back to the cell", async () => {
  server.use(answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff()));
  const { user } = await openScreen();
  await user.click(cell("cta_book, German: Buchen"));

  await user.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByRole("dialog");
  await user.keyboard("{Escape}");

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await waitFor(() => expect(cell("cta_book, German: Buchen")).toHaveFocus());
});

test("a proposal of AI is scrolled into view together with its buttons", async () => {
  const grown: { element: Element; tell: () => void }[] = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #tell: () => void;
      constructor(tell: () => void) {
        this.#tell = tell;
      }
      observe(element: Element) {
        grown.push({ element, tell: this.#tell });
      }
      unobserve() {}
      disconnect() {}
    },
  );
  const reveal = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
  onTestFinished(() => {
    vi.unstubAllGlobals();
    reveal.mockRestore();
  });
  const { user, openCell } = await openWithAi(
    {},
    answer("post", "/api/translations/rephrase", { rephrasedText: "Jetzt sichern", provider: "openai" }),
  );
  await openCell(BUCHEN, FIELD);
  await user.keyboard("{Alt>}r{/Alt}");
  const button = await screen.findByRole("button", { name: /^Use this/ });
  reveal.mockClear();

  act(() => {
    for (const { element, tell } of grown) if (element.contains(button)) tell();
  });

  expect(reveal.mock.contexts.some((element) => element instanceof Element && element.contains(button))).toBe(true);
  await user.keyboard("{Escape}{Escape}");
});

test("a text stays open while a person opens the search, and has the focus again afterwards", async () => {
  const sent: unknown[] = [];
  const { user, openCell } = await openWithAi({}, saves(sent));
  const field = await openCell(BUCHEN, FIELD);
  await user.type(field, " und");

  await user.keyboard("{Control>}k{/Control}");
  await waitFor(() => expect(screen.getByRole("combobox", { name: "Search keys and texts" })).toHaveFocus());
  await user.keyboard("{Escape}");

  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveValue("Buchen und");
  expect(sent).toEqual([]);
  await user.keyboard("{Escape}");
});

// spec: text-7
test("while the languages of the project can't be loaded, its English texts can be edited", async () => {
  const sent: unknown[] = [];
  server.use(
    offline("get", `/api/projects/${PROJECT_ID}`),
    answer("get", "/api/languages", { languages }),
    answer("get", KEYS, aScreen([cta])),
    answer(
      "put",
      `${KEYS}/cta_book`,
      { ...cta, revision: 2, values: { en: "Journeys" } },
      { onCall: (body) => sent.push(body) },
    ),
  );
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/home`);

  expect(await screen.findByText(/its English texts alone are shown/)).toBeVisible();
  await user.click(await screen.findByRole("gridcell", { name: "cta_book, English: Book now" }));
  const field = screen.getByRole("textbox", { name: "cta_book in English" });
  await user.clear(field);
  await user.type(field, "Journeys{Enter}");

  await waitFor(() => expect(sent).toEqual([{ key: "cta_book", values: { en: "Journeys" }, revision: 1 }]));
  expect(screen.queryByRole("columnheader", { name: /German/ })).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});
