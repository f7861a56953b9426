/** Opens the screen home of a project in English, German and Arabic, with answers to everything that the page reads. */
import { screen, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import type { Project } from "@/lib/api-types";
import { aKey, aProject, arabic, aScreen, languages, PROJECT_ID } from "./fixtures";
import { openSignedIn } from "./open";
import { answer, server } from "./server";

export const KEYS = `/api/translations/${PROJECT_ID}/home`;
export const NO_PLAN: Partial<Project> = { activeTier: "expired", plan: "expired", expiresAt: "2026-01-01T00:00:00Z" };

export const cta = aKey("cta_book", { en: "Book now", de: "Buchen" });
export const title = aKey("welcome_title", { en: "Where to next, {name}?" });

/** Waits for the grid; `answers` take the place of the usual answers. */
export async function openScreen(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ languages: ["en", "de", "ar"], ...project })),
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    answer("get", KEYS, aScreen([cta, title])),
    answer("get", `/api/translations/${PROJECT_ID}/:screen/:language/auto-translate`, {
      missing: 1,
      byPeople: 1,
      byAi: 0,
      provider: "openai",
    }),
  );
  server.use(...answers);
  const opened = openSignedIn(`/projects/${PROJECT_ID}/home`);
  await screen.findByRole("grid", { name: "Texts of home" });
  const openCell = async (name: RegExp | string, field: string) => {
    await opened.user.click(screen.getByRole("gridcell", { name }));
    // The tools below the text come with the page, but after it.
    await screen.findByRole("button", { name: "Rephrase" });
    return screen.getByRole("textbox", { name: field });
  };
  return { ...opened, openCell };
}

/** The region of this name, to look into. */
export const inRegion = async (name: string) => within(await screen.findByRole("region", { name }));
