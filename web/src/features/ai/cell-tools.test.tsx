/** 'Rephrase' and 'Translate' in an open cell: AI proposes, the person chooses. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { REPHRASE, rephrased, TRANSLATE } from "@/testing/cell-tools";
import { PROJECT_ID } from "@/testing/fixtures";
import { cta, inRegion, KEYS, openScreen } from "@/testing/screen";
import { answer, server } from "@/testing/server";

// spec: ai-1
test("a proposal is shown beside the person's own text, used by a key, and saved by Enter like any other edit", async () => {
  const asked: unknown[] = [];
  const saved: unknown[] = [];
  server.use(
    answer(
      "post",
      REPHRASE,
      { rephrasedText: "Jetzt sichern", provider: "openai" },
      { onCall: (body) => asked.push(body) },
    ),
    answer(
      "put",
      `${KEYS}/cta_book`,
      { ...cta, values: { ...cta.values, de: "Jetzt sichern" }, revision: 2 },
      {
        onCall: (body) => saved.push(body),
      },
    ),
  );
  const { user, openCell } = await openScreen();
  const field = await openCell("cta_book, German: Buchen", "cta_book in German");
  expect(screen.getByRole("button", { name: "Rephrase" })).toHaveAttribute("aria-keyshortcuts", "Alt+R");

  await user.keyboard("{Alt>}r{/Alt}");
  const panel = await inRegion("What AI proposes");
  expect(await panel.findByText("Jetzt sichern")).toBeVisible();
  expect(panel.getByText("Buchen")).toBeVisible();
  expect(field).toHaveValue("Buchen");
  expect(field).toHaveFocus();
  expect(saved).toEqual([]);
  await user.keyboard("{Alt>}{Enter}{/Alt}");
  expect(field).toHaveValue("Jetzt sichern");
  await user.keyboard("{Enter}");

  await waitFor(() => expect(saved).toEqual([{ key: "cta_book", values: { de: "Jetzt sichern" }, revision: 1 }]));
  expect(asked).toEqual([{ text: "Buchen", language: "de", projectId: PROJECT_ID }]);
});

// spec: ai-1
test("'Keep mine' and Escape keep the person's own text and the open cell; 'Try again' asks for a new proposal", async () => {
  let asked = 0;
  server.use(
    http.post(`*${REPHRASE}`, () => {
      asked += 1;
      return HttpResponse.json({ rephrasedText: `Wurf ${asked}`, provider: "openai" });
    }),
  );
  const { user, openCell } = await openScreen();
  const field = await openCell("cta_book, German: Buchen", "cta_book in German");

  await user.click(screen.getByRole("button", { name: "Rephrase" }));
  await screen.findByText("Wurf 1");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Wurf 2");
  await user.click(screen.getByRole("button", { name: "Keep mine" }));
  expect(screen.queryByRole("region", { name: "What AI proposes" })).not.toBeInTheDocument();
  await user.keyboard("{Alt>}r{/Alt}");
  await screen.findByText("Wurf 3");
  await user.keyboard("{Escape}");

  expect(screen.queryByText("Wurf 3")).not.toBeInTheDocument();
  expect(field).toHaveValue("Buchen");
  expect(field).toHaveFocus();
});

// spec: ai-2
test("an empty text shows that there is nothing to rephrase, and nothing is sent", async () => {
  const { user, openCell } = await openScreen();
  await openCell(/^welcome_title, German/, "welcome_title in German");

  await user.keyboard("{Alt>}r{/Alt}");

  expect(await screen.findByText("There is no text to rephrase.")).toBeVisible();
});

// spec: ai-4
test("a proposal that lost a placeholder shows which placeholder is missing", async () => {
  const { user, openCell } = await openScreen({}, rephrased("Your next trip?"));
  await openCell(/^welcome_title, English/, "welcome_title in English");

  await user.keyboard("{Alt>}r{/Alt}");

  expect(await screen.findByText("Placeholder {name} is missing here.")).toBeVisible();
});

// spec: ai-18
test("the stand-in for a service is labelled as what it is", async () => {
  const { user, openCell } = await openScreen({}, rephrased("[!!! Ɓûçĥéñ !!!]", "pseudo"));
  await openCell("cta_book, German: Buchen", "cta_book in German");

  await user.keyboard("{Alt>}r{/Alt}");

  expect(await screen.findByText(/Pseudo-localization: for testing layouts, not a translation/)).toBeVisible();
});

// spec: ai-5
test("a missing text is translated into its cell, and is not saved before Enter", async () => {
  const asked: unknown[] = [];
  const { user, openCell } = await openScreen(
    {},
    answer(
      "post",
      TRANSLATE,
      { translatedText: "Wohin jetzt, {name}?", provider: "openai" },
      { onCall: (body) => asked.push(body) },
    ),
  );
  const field = await openCell(/^welcome_title, German/, "welcome_title in German");

  await user.keyboard("{Alt>}t{/Alt}");

  await waitFor(() => expect(field).toHaveValue("Wohin jetzt, {name}?"));
  expect(screen.getByText("Written by AI. Enter saves it as yours, Esc reverts.")).toBeVisible();
  expect(asked).toEqual([
    { text: "Where to next, {name}?", sourceLang: "en", language: "de", projectId: PROJECT_ID, tabName: "home" },
  ]);
  await user.keyboard("{Escape}");
  expect(screen.getByRole("gridcell", { name: /^welcome_title, German: Missing/ })).toHaveFocus();
});

// spec: ai-5
test("a translation never replaces a text by itself", async () => {
  const { user, openCell } = await openScreen(
    {},
    answer("post", TRANSLATE, { translatedText: "Jetzt buchen", provider: "openai" }),
  );
  const field = await openCell("cta_book, German: Buchen", "cta_book in German");

  await user.click(screen.getByRole("button", { name: "Translate" }));
  expect(await screen.findByText("Jetzt buchen")).toBeVisible();
  expect(field).toHaveValue("Buchen");
  await user.click(screen.getByRole("button", { name: "Use this" }));

  expect(field).toHaveValue("Jetzt buchen");
  await user.keyboard("{Escape}");
  expect(screen.getByRole("gridcell", { name: "cta_book, German: Buchen" })).toHaveFocus();
});
