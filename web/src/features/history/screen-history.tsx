/** The history of one screen's texts. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, take } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { refreshProjectSoon, writesSettled } from "@/lib/project";
import { apiPages, apiQuery, invalidateProject } from "@/lib/query";
import { KeyChangeLine } from "@/ui/key-change";
import { Text } from "@/ui/parts";
import classes from "./history-panel.module.css";
import { type Against, comparing, type HistorySource, type RolledBack, type Version } from "./history-source";

type ScreenDiff = Answer<"/api/translations/{projectId}/{tabName}/versions/{versionId}", "get">;

const LIST = "/api/translations/{projectId}/{tabName}/versions";

const comparisonQuery = (projectId: string, screen: string, versionId: string, against: Against) =>
  apiQuery(
    `${LIST}/{versionId}`,
    { path: { projectId, tabName: screen, versionId }, query: { against } },
    comparing(projectId, against),
  );

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
  if (kept !== null) refreshProjectSoon(client, projectId);
  // Every text of the screen may be different now, and every comparison with the draft.
  await invalidateProject(client, projectId, { butItself: true });
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
          {hidden > 0 && (
            <Text pt={8} size="s" tone="ink-3">
              and {hidden.toLocaleString("en")} more keys
            </Text>
          )}
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
      versions: apiPages(LIST, { path: { projectId, tabName: screen } }, { next: ({ nextCursor }) => nextCursor }),
      comparison: (versionId, against) => comparisonQuery(projectId, screen, versionId, against),
      Changes,
      rollBack: (version, token) => rollBack(client, projectId, screen, version, token),
    };
  }, [client, projectId, screen, languages]);
}
