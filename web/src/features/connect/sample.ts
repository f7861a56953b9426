/** A text of the project to show in the first lines of an app, so that what is copied shows something. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "react-router";
import type { Project } from "@/lib/api-types";
import { screenQuery } from "@/lib/queries";
import { composedKey } from "@/lib/query";

/** The first key of the first screen with a key; 'general.title' if no screen has a key. */
async function firstText(
  client: QueryClient,
  { projectId, defaultLanguage }: Project,
  screens: readonly string[],
): Promise<string> {
  for (const screen of screens) {
    const { keys: records } = await client.ensureQueryData(screenQuery(projectId, screen, [defaultLanguage]));
    const first = records[0];
    if (first !== undefined) return `${screen}.${first.key}`;
  }
  return NO_TEXT;
}

const NO_TEXT = "general.title";

/** Looks at the open screen first, then at the general texts, then at the other screens. */
export function useSampleText(project: Project): string {
  const { projectId, tabs } = project;
  const client = useQueryClient();
  const open = useLocation().pathname.split("/")[3] ?? "";
  const screens = [...new Set([...(tabs.includes(open) ? [open] : []), "general", ...tabs])];
  const { data } = useQuery(
    queryOptions({
      queryKey: composedKey("first text", projectId, { screens }),
      queryFn: () => firstText(client, project, screens),
      gcTime: 0,
      staleTime: 0,
      retry: false,
    }),
  );
  return data ?? NO_TEXT;
}
