/** The history of a project's colours. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, take } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { refreshProjectSoon, writesSettled } from "@/lib/project";
import { apiPages, apiQuery, invalidateProject } from "@/lib/query";
import { ColorChangeLine } from "@/ui/color-change";
import { Text } from "@/ui/parts";
import classes from "./history-panel.module.css";
import { type Against, comparing, type HistorySource, type RolledBack, type Version } from "./history-source";

const LIST = "/api/colors/{projectId}/versions";

type ColorDiff = Answer<`${typeof LIST}/{colorVersionId}`, "get">;

const comparisonQuery = (projectId: string, colorVersionId: string, against: Against) =>
  apiQuery(
    `${LIST}/{colorVersionId}`,
    { path: { projectId, colorVersionId }, query: { against } },
    comparing(projectId, against),
  );

async function rollBack(
  client: QueryClient,
  projectId: string,
  { id }: Version,
  expected: string | null,
): Promise<RolledBack> {
  await writesSettled(projectId);
  const path = { projectId, colorVersionId: id };
  const { message, kept, token } = await take(
    api.POST("/api/colors/{projectId}/rollback/{colorVersionId}", { params: { path }, body: { expected } }),
  );
  if (kept !== null) refreshProjectSoon(client, projectId);
  // Every colour may be different now, and every comparison with the draft.
  await invalidateProject(client, projectId, { butItself: true });
  return { message, kept, token };
}

function Changes({ diff }: { diff: ColorDiff }) {
  const hidden = diff.total - diff.colors.length;
  return (
    <>
      <ul className={classes["changes"]}>
        {diff.colors.map((change) => (
          <ColorChangeLine key={change.key} change={change} />
        ))}
      </ul>
      {hidden > 0 && (
        <Text pt={8} size="s" tone="ink-3">
          and {hidden.toLocaleString("en")} more colours
        </Text>
      )}
    </>
  );
}

export function useColorHistory({ projectId }: Project): HistorySource<ColorDiff> {
  const client = useQueryClient();
  return useMemo(
    () => ({
      name: "the colours",
      its: "Their",
      unit: {
        one: "colour",
        many: "colours",
        listed: "changed",
        gets: "gets its former value",
        get: "get their former values",
        none: "It changed no colour.",
      },
      failures: { list: "Failed to load color versions", rollBack: "Failed to rollback color version" },
      versions: apiPages(LIST, { path: { projectId } }, { next: ({ nextCursor }) => nextCursor }),
      comparison: (versionId, against) => comparisonQuery(projectId, versionId, against),
      Changes,
      rollBack: (version, token) => rollBack(client, projectId, version, token),
    }),
    [client, projectId],
  );
}
