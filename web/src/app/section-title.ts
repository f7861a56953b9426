import { useQuery } from "@tanstack/react-query";
import { useLocation, useMatches } from "react-router";
import { decodedPath } from "@/lib/address";
import { projectQuery } from "@/lib/queries";
import { capitalised, cut } from "@/lib/text";

export interface Section {
  /** At most 30 characters of the section's name; at a project's root 'Project: {name}' with at most 15 of the name. */
  title: string;
  /** Undefined outside of projects, and if `title` has it. */
  projectName?: string;
  /** The page and its project: 'home · Aurora Travel'. */
  windowTitle: string;
}

function titleOf(handle: unknown): string | undefined {
  if (typeof handle !== "object" || handle === null || !("title" in handle)) return undefined;
  return typeof handle.title === "string" ? handle.title : undefined;
}

/** Names the present page, for the bar of a small screen and for the window. */
export function useSection(): Section {
  const { pathname } = useLocation();
  const matches = useMatches();
  const parts = pathname.split("/").map((part) => decodedPath(part) ?? part);
  const [section = "", projectId = "", tab = "", thing = ""] = parts.slice(1);
  // Read from what the project's page loads; the title asks for nothing itself.
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: false });
  const own = matches.map((match) => titleOf(match.handle)).findLast((title) => title !== undefined);
  const title = own ?? cut(capitalised(tab || section), 30);
  if (section !== "projects" || projectId === "" || projectId === "create") return { title, windowTitle: title };

  const isRoot = tab === "" || tab === "general";
  // A screen, and a data store, by its name as apps write it.
  const page = isRoot ? "General" : thing || (own ?? tab);
  const windowTitle = project === undefined ? page : `${page} · ${project.name}`;
  if (isRoot) return { title: project === undefined ? "Project" : `Project: ${cut(project.name, 15)}`, windowTitle };
  return project === undefined ? { title, windowTitle } : { title, projectName: project.name, windowTitle };
}
