import type { Project } from "@/lib/api-types";
import { aKey, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { screenLosses } from "@/testing/frame-part";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

export const PROJECT = `/api/projects/${PROJECT_ID}`;

export function answerProject(project: Partial<Project> = {}) {
  server.use(
    answer("get", PROJECT, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([aKey("title", { en: "Hello", de: "Hallo" })])),
    answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }),
  );
}

export function openProject(path: string, project: Partial<Project> = {}) {
  answerProject(project);
  server.use(screenLosses);
  return openSignedIn(`/projects/${PROJECT_ID}${path}`);
}
