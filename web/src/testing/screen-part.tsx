/** The page of the screen home alone, without the project's frame and without AI: the grid, its toolbar, and the line about unsaved texts. */

import { screen } from "@testing-library/react";
import { type ScreenParts, TranslationPage } from "@/features/screens/translation-page";
import { UnsavedEdits, UnsavedNotice } from "@/features/screens/unsaved-edits";
import type { Language, Project } from "@/lib/api-types";
import type { KeyRecord } from "@/lib/queries";
import { renderInProject } from "./component";
import { aScreen, languages, PROJECT_ID } from "./fixtures";
import { answer, server } from "./server";

export const KEYS = `/api/translations/${PROJECT_ID}/home`;

/** Other features' parts of the page, with nothing in them. */
const noParts: ScreenParts = {
  HistoryButton: () => null,
  ai: { CellTools: () => null, KeyOffer: () => null, FillButton: () => null },
};

interface Opening {
  /** Below the project's address. */
  at?: string;
  /** All that Livery has. */
  known?: readonly Language[];
}

/** The page as it is before its keys were read; they are `keys`. */
export function renderScreenPage(
  keys: KeyRecord[],
  project: Partial<Project> = {},
  { at = "home", known = languages }: Opening = {},
) {
  server.use(answer("get", "/api/languages", { languages: [...known] }), answer("get", KEYS, aScreen(keys)));
  return renderInProject(
    <UnsavedEdits>
      <UnsavedNotice />
      <TranslationPage parts={noParts} />
    </UnsavedEdits>,
    project,
    { at, pattern: ":tabName" },
  );
}

/** Waits for the grid. */
export async function renderScreen(keys: KeyRecord[], project: Partial<Project> = {}, opening: Opening = {}) {
  const rendered = renderScreenPage(keys, project, opening);
  await screen.findByRole("grid", { name: "Texts of home" });
  return rendered;
}
