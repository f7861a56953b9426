/** One section of a project's settings, with answers to everything that the sections read. */

import { screen, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import type { ReactNode } from "react";
import type { Project, User } from "@/lib/api-types";
import { renderInProject } from "./component";
import { aProject, languages, PROJECT_ID } from "./fixtures";
import { aUsage } from "./project-settings";
import { answer, server } from "./server";

/** `answers` take the place of the usual answers; `section` gives the part with this title. */
export function renderSettings(
  part: ReactNode | ((project: Project) => ReactNode),
  project: Partial<Project> = {},
  me?: User,
  ...answers: RequestHandler[]
) {
  const shown = aProject({ projectSecret: "lvs_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9", ...project });
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}/usage`, aUsage()),
    answer("get", `/api/projects/${PROJECT_ID}/members`, shown.members),
    answer("get", `/api/projects/${PROJECT_ID}/publishable-keys`, { keys: [] }),
    answer("get", `/api/projects/${PROJECT_ID}/tokens`, { tokens: [] }),
    answer("get", "/api/languages", { languages }),
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
  );
  server.use(...answers);
  const rendered = renderInProject(part, shown, { at: "settings", ...(me === undefined ? {} : { me }) });
  return { ...rendered, section: (name: string) => within(screen.getByRole("region", { name })) };
}
