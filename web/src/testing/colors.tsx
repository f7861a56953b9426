/** The page of the colours of a project. */
import { screen, within } from "@testing-library/react";
import { ColorsPage } from "@/features/colors/colors-page";
import type { Answer, Project } from "@/lib/api-types";
import { aProject, languages, PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

export const COLORS = `/api/colors/${PROJECT_ID}`;

export type Color = Answer<"/api/colors/{projectId}", "get">["colors"][number];

export const aColor = (key: string, value: string, more: Partial<Color> = {}): Color => ({
  key,
  value,
  nickname: "",
  revision: 1,
  state: "published",
  renamedFrom: null,
  updatedAt: "2026-11-19T10:00:00Z",
  ...more,
});

export const primary = () => [aColor("primary", "#0b5d5e", { nickname: "Fjord" })];

/** With the whole dashboard around the page. */
export async function openDashboard() {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject()),
    answer("get", "/api/languages", { languages }),
    answer("get", COLORS, { colors: primary() }),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/colors`);
  await screen.findByRole("form", { name: "Add a colour" });
  return opened;
}

export const page = <ColorsPage HistoryButton={() => null} />;

export async function openColors(colors: Color[] = primary(), project: Partial<Project> = {}) {
  server.use(answer("get", COLORS, { colors }));
  const opened = openInProject(page, project);
  await screen.findByRole("form", { name: "Add a colour" });
  return opened;
}

export const writeValue = async (user: Awaited<ReturnType<typeof openColors>>["user"], name: string, value: string) => {
  const field = within(screen.getByRole("form", { name })).getByRole("textbox", { name: "Hex value" });
  await user.clear(field);
  await user.type(field, value);
};
