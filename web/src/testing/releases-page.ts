/** The releases of a project in the whole dashboard. */

import type { Release } from "@/features/releases/queries";
import type { Project } from "@/lib/api-types";
import { aProject, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { aPreview, comparisons, first, LIST, PREVIEW, pro, second, third } from "@/testing/releases";
import { answer, server } from "@/testing/server";

export function openReleases(
  project: Partial<Project> = pro,
  { search = "", releases = [third, second, first] }: { search?: string; releases?: Release[] } = {},
) {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", LIST, { releases, nextCursor: null }),
    answer("get", PREVIEW, aPreview()),
    comparisons,
  );
  return openSignedIn(`/projects/${PROJECT_ID}/releases${search}`);
}
