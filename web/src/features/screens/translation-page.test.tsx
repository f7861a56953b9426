import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { hurry } from "@/testing/clock";
import { aDiff, aProject, arabic, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { openScreen as openWithAi } from "@/testing/screen";
import { cell, cta, german, help, saved, stateOf, title } from "@/testing/screen-keys";
import { answer, offline, server } from "@/testing/server";

const KEYS = `/api/translations/${PROJECT_ID}/home`;

async function openScreen(keys = [cta, title, saved, help], project: Partial<Project> = {}, path = "home") {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    answer("get", KEYS, aScreen(keys)),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/${path}`);
  await screen.findByRole("grid", { name: "Texts of home" });
  return opened;
}

// spec: text-5
test("a text is edited in its cell and saved by Enter, with the revision it was read at", async () => {
  hurry();
  const sent: unknown[] = [];
  server.use(answer("put", `${KEYS}/cta_book`, german("Jetzt buchen", 2), { onCall: (body) => sent.push(body) }));
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  const field = screen.getByRole("textbox", { name: "cta_book in German" });
  expect(field).toHaveValue("Buchen");
  await user.clear(field);
  await user.type(field, "Jetzt buchen{Enter}");

  expect(cell("cta_book, German: Jetzt buchen")).toHaveFocus();
  expect(await stateOf("cta_book").findByText("Saved")).toBeVisible();
  expect(sent).toEqual([{ key: "cta_book", values: { de: "Jetzt buchen" }, revision: 1 }]);
  expect(await stateOf("cta_book").findByText("Changed")).toBeVisible();
});

// spec: text-19
test("the whole grid works from the keyboard: arrows move, Enter edits, Tab goes to the next missing text", async () => {
  const bodies: unknown[] = [];
  server.use(
    http.put(`*${KEYS}/:key`, async ({ request, params }) => {
      const body = (await request.json()) as { values: Record<string, string> };
      bodies.push(body.values);
      const before = params["key"] === "empty_saved" ? saved : help;
      return HttpResponse.json({ ...before, values: { ...before.values, ...body.values }, revision: 2 });
    }),
  );
  const { user } = await openScreen();

  act(() => screen.getByRole("rowheader", { name: "cta_book" }).focus());
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowDown}{ArrowDown}");
  expect(cell("empty_saved, German: Missing. Apps show the English text.")).toHaveFocus();
  await user.keyboard("{Enter}Noch nichts gemerkt.{Tab}");

  expect(screen.getByRole("textbox", { name: "help_url in German" })).toHaveFocus();
  await user.keyboard("https://aurora.example/hilfe{Shift>}{Tab}{/Shift}");
  await waitFor(() => expect(bodies).toEqual([{ de: "Noch nichts gemerkt." }, { de: "https://aurora.example/hilfe" }]));
  expect(cell(/^help_url, German/)).toHaveFocus();
});

// spec: text-20
test("without a network the text is kept, marked as unsaved, and sent when the connection returns", async () => {
  server.use(offline("put", `${KEYS}/cta_book`));
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.type(screen.getByRole("textbox", { name: "cta_book in German" }), " jetzt{Enter}");
  expect(await screen.findByText(/1 text is not saved yet: the server can't be reached/)).toBeVisible();
  expect(stateOf("cta_book").getByText("Not saved.")).toBeVisible();
  expect(cell("cta_book, German: Buchen jetzt")).toBeInTheDocument();
  expect(Object.entries({ ...window.localStorage }).find(([key]) => key.startsWith("unsavedEdits"))?.[1]).toContain(
    "Buchen jetzt",
  );

  server.use(answer("put", `${KEYS}/cta_book`, german("Buchen jetzt", 2)));
  act(() => {
    window.dispatchEvent(new Event("online"));
  });

  expect(await stateOf("cta_book").findByText("Saved")).toBeVisible();
  expect(screen.queryByText(/not saved yet/)).not.toBeInTheDocument();
  expect(Object.keys({ ...window.localStorage }).some((key) => key.startsWith("unsavedEdits"))).toBe(false);
});

test("a language is found by its native name and becomes the second column", async () => {
  const { user } = await openScreen();
  const sent: unknown[] = [];
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/languages`, aProject({ languages: ["en", "de", "ar"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "العر{Enter}{Enter}");

  expect(
    await screen.findByRole("gridcell", { name: "cta_book, Arabic: Missing. Apps show the English text." }),
  ).toBeInTheDocument();
  expect(sent).toEqual([{ language: "ar" }]);
});

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

const BUCHEN = "cta_book, German: Buchen";

const FIELD = "cta_book in German";

const saves = (sent: unknown[]) => answer("put", `${KEYS}/cta_book`, cta, { onCall: (body) => sent.push(body) });

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
