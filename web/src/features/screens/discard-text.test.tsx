import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInProject } from "@/testing/component";
import { aDiff, aKey, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { change } from "@/testing/review";
import { KEYS } from "@/testing/screen-part";
import { answer, refusal, server } from "@/testing/server";
import { Discarding } from "../publishing/discarding";
import { TranslationPage } from "./translation-page";
import { UnsavedEdits } from "./unsaved-edits";

const at = "2026-11-19T10:00:00Z";
const DISCARD = `/api/projects/${PROJECT_ID}/discard`;
const parts = {
  HistoryButton: () => null,
  ai: { CellTools: () => null, KeyOffer: () => null, FillButton: () => null },
};

/** A key with this state of each text. */
const keyWith = (name: string, values: Record<string, string>, states: Record<string, "changed" | "published">) =>
  aKey(name, values, {
    meta: Object.fromEntries(
      Object.entries(states).map(([language, state]) => [language, { state, by: "person", isConfirmed: false, at }]),
    ),
  });

const cta = keyWith("cta", { en: "Book now", de: "Reservieren" }, { en: "published", de: "changed" });
const plain = keyWith("plain", { en: "Same", de: "Gleich" }, { en: "published", de: "published" });

async function openScreen(project: Parameters<typeof renderInProject>[1] = {}) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", KEYS, aScreen([cta, plain])));
  const page = (
    <Discarding>
      <UnsavedEdits>
        <TranslationPage parts={parts} />
      </UnsavedEdits>
    </Discarding>
  );
  const opened = renderInProject(page, project, { at: "home", pattern: ":tabName" });
  await screen.findByRole("grid", { name: "Texts of home" });
  const openMenu = async (key: string) => {
    await opened.user.click(screen.getByRole("button", { name: `Actions for ${key}` }));
    return (await screen.findAllByRole("menuitem")).map((entry) => entry.textContent);
  };
  return { ...opened, openMenu };
}

test("the menu of a changed key discards one text at once, and the grid shows what apps have", async () => {
  const calls: unknown[] = [];
  const { user, openMenu } = await openScreen();
  server.use(
    answer(
      "post",
      DISCARD,
      { message: "Discarded 1 change.", discarded: 1, keptAt: "2026-11-20T12:00:00.000Z" },
      {
        onCall: (body) => {
          calls.push(body);
          const back = keyWith("cta", { en: "Book now", de: "Buchen" }, { en: "published", de: "published" });
          server.use(answer("get", KEYS, aScreen([{ ...back, revision: 2 }, plain])));
        },
      },
    ),
  );
  expect(await openMenu("cta")).toEqual([
    "Edit",
    "Copy key",
    "Rename…",
    "Discard change in German",
    "Discard changes of this key",
    "Delete",
  ]);

  await user.click(screen.getByRole("menuitem", { name: "Discard change in German" }));

  expect(await screen.findByText("Discarded the change of cta in German.")).toBeInTheDocument();
  expect(await screen.findByRole("gridcell", { name: "cta, German: Buchen" })).toBeVisible();
  expect(calls).toEqual([{ changes: ["text:key_cta/de"] }]);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("the changes of a key in several texts are discarded after a question", async () => {
  const calls: unknown[] = [];
  const value = (language: string, old: string, next: string) => ({
    language,
    old,
    new: next,
    ref: `text:key_cta/${language}`,
  });
  const key = { ...change("cta", "x", "y"), values: [value("de", "Buchen", "Reservieren"), value("fr", "A", "B")] };
  const screens = [{ screen: "home", place: "screen/home", change: "changed" as const, total: 1, keys: [key] }];
  const { user, openMenu } = await openScreen();
  const asked: string[][] = [];
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff({ total: 1, screens }), {
      onCall: (_, request) => asked.push(new URL(request.url).searchParams.getAll("whole")),
    }),
    answer("post", DISCARD, { message: "", discarded: 1, keptAt: null }, { onCall: (body) => calls.push(body) }),
  );
  await openMenu("cta");
  await user.click(screen.getByRole("menuitem", { name: "Discard changes of this key" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Discard 1 change?" }));
  expect(dialog.getByText("cta").closest("li")).toHaveTextContent(/deBuchenReservieren.*frAB/);
  await waitFor(() => expect(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus());
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Discard 1 change" }));

  await waitFor(() => expect(calls).toEqual([{ changes: ["text:key_cta"], expected: "token-1" }]));
  expect(asked).toEqual([["screen/home"]]);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("a key without changes, and a person who can't edit, are offered no discard", async () => {
  const { openMenu } = await openScreen();
  expect(await openMenu("plain")).toEqual(["Edit", "Copy key", "Rename…", "Delete"]);
});

test("a viewer is offered no discard", async () => {
  const { openMenu } = await openScreen({ permissions: ["read"] });
  expect(await openMenu("cta")).toEqual(["Copy key"]);
});

test("a discard that is refused shows why, and changes nothing", async () => {
  const { user, openMenu } = await openScreen();
  server.use(refusal("post", DISCARD, 503, { message: "The database is not available right now. Please try again." }));
  await openMenu("cta");

  await user.click(screen.getByRole("menuitem", { name: "Discard change in German" }));

  expect(await screen.findByText("The database is not available right now. Please try again.")).toBeInTheDocument();
  expect(screen.getByRole("gridcell", { name: "cta, German: Reservieren" })).toBeVisible();
});

test("a key without changes shows that there is nothing to discard", async () => {
  const { user, openMenu } = await openScreen();
  server.use(answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff()));
  await openMenu("cta");

  await user.click(screen.getByRole("menuitem", { name: "Discard changes of this key" }));

  expect(await screen.findByText("There is nothing to discard.")).toBeInTheDocument();
});
