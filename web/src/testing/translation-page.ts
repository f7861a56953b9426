/** The screen home in the whole dashboard. */
import { screen } from "@testing-library/react";
import type { Project } from "@/lib/api-types";
import { aProject, arabic, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { cta, help, saved, title } from "@/testing/screen-keys";
import { answer, server } from "@/testing/server";

export const KEYS = `/api/translations/${PROJECT_ID}/home`;

export async function openScreen(keys = [cta, title, saved, help], project: Partial<Project> = {}, path = "home") {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    answer("get", KEYS, aScreen(keys)),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/${path}`);
  await screen.findByRole("grid", { name: "Texts of home" });
  return opened;
}
