/** The section of the languages of a project. */

import { LanguagesSection } from "@/features/project-settings/languages-section";
import type { Project } from "@/lib/api-types";
import { arabic, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";

export const LANGUAGES = `/api/projects/${PROJECT_ID}/languages`;

export const someLanguages = answer("get", "/api/languages", { languages: [...languages, arabic] });

export async function openLanguages(project: Partial<Project> = {}, known = someLanguages) {
  const opened = renderSettings((shown) => <LanguagesSection project={shown} />, project, aUser(), known);
  const list = opened.section("Languages");
  await list.findByText("🇬🇧");
  return { ...opened, list };
}
