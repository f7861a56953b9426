/** The page of the releases alone, without the frame of the project. */
import { screen, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { Discarding } from "@/features/publishing/discarding";
import type { Release } from "@/features/releases/queries";
import { ReleasesPage } from "@/features/releases/releases-page";
import type { Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { languages } from "@/testing/fixtures";
import { aPreview, comparisons, first, LIST, PREVIEW, pro, second, third } from "@/testing/releases";
import { answer, server } from "@/testing/server";

export function openReleases(
  project: Partial<Project> = pro,
  { search = "", releases = [third, second, first] }: { search?: string; releases?: Release[] } = {},
) {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", LIST, { releases, nextCursor: null }),
    answer("get", PREVIEW, aPreview()),
    comparisons,
  );
  const page = (
    <Discarding>
      <ReleasesPage />
    </Discarding>
  );
  return renderInProject(page, project, { at: `releases${search}`, pattern: "releases" });
}

/** Opens the question about release 2, from its page. */
export async function openQuestion(project: Partial<Project> = {}, answers: readonly RequestHandler[] = []) {
  const opened = openReleases({ ...pro, ...project }, { search: "?release=2" });
  server.use(...answers);
  const opener = await screen.findByRole("button", { name: "Restore this release" });
  await opened.user.click(opener);
  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  return { ...opened, opener, dialog, confirm: await dialog.findByRole("button", { name: "Restore release 2" }) };
}

/** Chooses that the draft is restored, too. */
export async function chooseDraft({ user, dialog }: Pick<Awaited<ReturnType<typeof openQuestion>>, "user" | "dialog">) {
  await user.click(dialog.getByRole("radio", { name: "Apps and the draft" }));
}

export const waiting = { ...pro, unpublished: { total: 3, screens: { home: 2 }, colors: 0, stores: 1 } };
