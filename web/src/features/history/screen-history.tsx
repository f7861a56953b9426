/** The history of one screen's texts. */
import { type QueryClient, type UseQueryOptions, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, take } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { refreshProjectSoon, writesSettled } from "@/lib/project";
import { keys } from "@/lib/queries";
import { announce } from "@/lib/window-events";
import { KeyChangeLine } from "@/ui/key-change";
import classes from "./history-panel.module.css";
import type { Against, HistorySource, RolledBack, Version } from "./history-source";

type ScreenDiff = Answer<"/api/translations/{projectId}/{tabName}/versions/{versionId}", "get">;

const LIST = "/api/translations/{projectId}/{tabName}/versions";

const keyOf = (projectId: string, screen: string) => [...keys.project(projectId), LIST, screen] as const;

function comparisonQuery(
  projectId: string,
  screen: string,
  versionId: string,
  against: Against,
): UseQueryOptions<ScreenDiff> {
  return {
    queryKey: [...keyOf(projectId, screen), versionId, against],
    queryFn: async ({ signal }) => {
      await writesSettled(projectId);
      const params = { path: { projectId, tabName: screen, versionId }, query: { against } };
      return take(api.GET(`${LIST}/{versionId}`, { params, signal }));
    },
    // The draft changes all the time; what a version changed never does.
    staleTime: against === "draft" ? 0 : Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  };
}

async function rollBack(
  client: QueryClient,
  projectId: string,
  screen: string,
  { id }: Version,
  expected: string | null,
): Promise<RolledBack> {
  await writesSettled(projectId);
  const path = { projectId, tabName: screen, versionId: id };
  const { message, kept, token } = await take(
    api.POST("/api/translations/{projectId}/{tabName}/rollback/{versionId}", { params: { path }, body: { expected } }),
  );
  if (kept !== null) {
    announce("translationsUpdated", { projectId, screen: "__UNPUBLISHED__" });
    refreshProjectSoon(client, projectId);
  }
  // Every text of the screen may be different now, and every comparison with the draft.
  await client.invalidateQueries({
    queryKey: keys.project(projectId),
    predicate: ({ queryKey }) => queryKey.length > keys.project(projectId).length,
  });
  return { message, kept, token };
}

export function useScreenHistory(project: Project, screen: string): HistorySource<ScreenDiff> {
  const client = useQueryClient();
  const { projectId, languages } = project;
  return useMemo(() => {
    function Changes({ diff }: { diff: ScreenDiff }) {
      const nameOf = useLanguageNames();
      const hidden = diff.total - diff.keys.length;
      return (
        <>
          <ul className={classes["changes"]}>
            {diff.keys.map((change) => (
              <KeyChangeLine key={change.key} change={change} languages={languages} nameOf={nameOf} />
            ))}
          </ul>
          {hidden > 0 && <p className={classes["faint"]}>and {hidden.toLocaleString("en")} more keys</p>}
        </>
      );
    }
    return {
      name: screen === "general" ? "Content - General" : screen,
      its: "Its",
      unit: {
        one: "key",
        many: "keys",
        gets: "gets its former texts",
        get: "get their former texts",
        none: "It changed no text.",
      },
      failures: { list: "Failed to fetch versions", rollBack: "Rollback failed" },
      versions: {
        queryKey: [...keyOf(projectId, screen), "list"],
        queryFn: ({ pageParam, signal }) => {
          const query = pageParam === undefined ? {} : { cursor: pageParam };
          return take(api.GET(LIST, { params: { path: { projectId, tabName: screen }, query }, signal }));
        },
        initialPageParam: undefined,
        getNextPageParam: (page) => page.nextCursor ?? undefined,
      },
      comparison: (versionId, against) => comparisonQuery(projectId, screen, versionId, against),
      Changes,
      rollBack: (version, token) => rollBack(client, projectId, screen, version, token),
    };
  }, [client, projectId, screen, languages]);
}
