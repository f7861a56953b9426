import { useQuery } from "@tanstack/react-query";
import { useLocation, useMatches } from "react-router";
import { projectQuery } from "@/lib/queries";
import { capitalised, cut } from "@/lib/text";

function titleOf(handle: unknown): string | undefined {
  if (typeof handle !== "object" || handle === null || !("title" in handle)) return undefined;
  return typeof handle.title === "string" ? handle.title : undefined;
}

/** The name of the present section: 30 characters of it, or 'Project: {name}' with 15 of the name at a project's root. */
export function useSectionTitle(): string {
  return useSection().title;
}

/** The title, and the name of the project that it is in where the title itself does not tell it. */
export function useSection(): { title: string; projectName?: string } {
  const { pathname } = useLocation();
  const matches = useMatches();
  const [section = "", projectId = "", tab = ""] = pathname.split("/").slice(1);
  const isRoot =
    section === "projects" && projectId !== "" && projectId !== "create" && (tab === "" || tab === "general");
  // Read from what the project's page loads; the title asks for nothing itself.
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: false });

  const own = matches.map((match) => titleOf(match.handle)).findLast((title) => title !== undefined);
  if (isRoot) return { title: project === undefined ? "Project" : `Project: ${cut(project.name, 15)}` };
  const title = own ?? cut(capitalised(decodeURIComponent(tab || section)), 30);
  return project === undefined ? { title } : { title, projectName: project.name };
}
