/** The imports of a project: reading, applying and undoing them. */
import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { apiQuery, invalidate, invalidateProject } from "@/lib/query";

export type Format = Answer<"/api/formats", "get">["formats"][number];
export type Store = Answer<"/api/stores/{projectId}", "get">[number];
export type Import = Answer<"/api/projects/{projectId}/imports", "get">["imports"][number];
export type ImportFile = Import["files"][number];
export type Plan = Answer<"/api/projects/{projectId}/imports/{importId}/plan", "get">;
export type FileKind = ImportFile["kind"];
export type PlanRow = Plan["rows"][number];
export type RowState = PlanRow["state"];

/** Which rows of a plan to write: see the description of the call. */
export interface ApplyChoice {
  take: ("new" | "changed" | "conflict")[];
  leaveOut: number[];
  also: number[];
}

const LIST = "/api/projects/{projectId}/imports";
const ONE = "/api/projects/{projectId}/imports/{importId}";

/** The imports of the last seven days that have files, the newest first. */
export const importsQuery = (projectId: string) =>
  apiQuery(LIST, { path: { projectId } }, { select: ({ imports }) => imports });

export const importQuery = (projectId: string, importId: string) =>
  apiQuery(ONE, { path: { projectId, importId } }, { staleTime: 0, gcTime: 0 });

/** What the files would do to the draft. It depends on the files, and on the languages of the project. */
export const planQuery = ({ projectId, languages }: Project, importId: string, files: readonly number[]) => ({
  ...apiQuery(
    `${ONE}/plan`,
    { path: { projectId, importId } },
    {
      more: { files, languages },
      enabled: files.length > 0,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      // With tens of thousands of rows a comparison of two plans takes longer than drawing the second.
      structuralSharing: false,
    },
  ),
  placeholderData: keepPreviousData,
});

export function useApply(projectId: string, importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (choice: ApplyChoice & { token: string }) =>
      take(api.POST(`${ONE}/apply`, { params: { path: { projectId, importId } }, body: choice })),
    // Also after a failure: the answer to an import that was applied may have been lost.
    onSettled: () => {
      void invalidateProject(client, projectId);
    },
  });
}

/** Takes what an import wrote out of the draft. `onUndone` is given what was done, also if the button is gone by then. */
export function useUndo(projectId: string, onUndone: (message: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (importId: string) => take(api.POST(`${ONE}/undo`, { params: { path: { projectId, importId } } })),
    onSuccess: ({ message }) => {
      onUndone(message);
      return invalidateProject(client, projectId);
    },
    onError: () => invalidate(client, LIST, { path: { projectId } }),
  });
}

/** Takes all files out of imports that were not applied: such an import is not listed any more. */
export function useDiscard(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ _id: importId, files }: Import) => {
      for (const { number } of files) {
        const params = { path: { projectId, importId, fileNumber: number } };
        await take(api.DELETE(`${ONE}/files/{fileNumber}`, { params }));
      }
    },
    onSettled: () => invalidate(client, LIST, { path: { projectId } }),
  });
}
