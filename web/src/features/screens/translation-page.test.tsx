import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { hurry } from "@/testing/clock";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { cell, german, help, saved, stateOf } from "@/testing/screen-keys";
import { answer, offline, server } from "@/testing/server";
import { KEYS, openScreen } from "@/testing/translation-page";

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
