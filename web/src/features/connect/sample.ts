/** A text of the project to show in the first lines of an app, so that what is copied shows something. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "react-router";
import type { Project } from "@/lib/api-types";
import { screenQuery } from "@/lib/queries";
import { composedKey } from "@/lib/query";

/** A text as apps name it (its screen, a full stop, its key). Apps show its words until their first content is here. */
export interface Sample {
  key: string;
  words: string;
}

const NO_TEXT: Sample = { key: "general.title", words: "Welcome" };
const LINE_CHARACTERS = 60;

/** Whether the words fit into a line of code and need no parameters. */
const isPlain = (words = ""): boolean => words !== "" && words.length <= LINE_CHARACTERS && !/[{}<>\n]/.test(words);

/** The first plain text of the first screen that has such a text; else the first key there is, with the words of `NO_TEXT`. */
async function firstText(
  client: QueryClient,
  { projectId, defaultLanguage }: Project,
  screens: readonly string[],
): Promise<Sample> {
  let first: Sample | undefined;
  for (const screen of screens) {
    const { keys: records } = await client.ensureQueryData(screenQuery(projectId, screen, [defaultLanguage]));
    const plain = records.find(({ values }) => isPlain(values[defaultLanguage]));
    if (plain !== undefined) return { key: `${screen}.${plain.key}`, words: plain.values[defaultLanguage] ?? "" };
    if (records[0] !== undefined) first ??= { ...NO_TEXT, key: `${screen}.${records[0].key}` };
  }
  return first ?? NO_TEXT;
}

/** Looks at the open screen first, then at the general texts, then at the other screens. */
export function useSampleText(project: Project): Sample {
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
