/** The images of a project in the whole dashboard. */
import { screen } from "@testing-library/react";
import type { ImageRecord } from "@/features/images/queries";
import type { Project } from "@/lib/api-types";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { anImage, IMAGES } from "@/testing/images";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

/** With the whole dashboard around the page. */
export async function openDashboard(images: ImageRecord[] = [anImage("logo_primary")], project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", "/api/languages", { languages: [] }),
    answer("get", IMAGES, images),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/images`);
  await screen.findByText(images[0]?.key ?? "");
  return opened;
}
