/** The audit log of a project and of an account, page by page, newest first. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { fileNameOf, saveFile } from "@/lib/download";
import type { Wanted } from "./filters";

const LIST = "/api/projects/{projectId}/audit";
const OWN = "/api/user/audit";
const PAGE = 50;

export type Entry = Answer<typeof LIST, "get">[number];
export type FileKind = "csv" | "json";

/** Pages stay as they were read: a list of many pages must not be read again because the window is looked at. */
const paging = {
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (page: readonly Entry[]) => (page.length < PAGE ? undefined : Number(page.at(-1)?._id)),
  refetchOnWindowFocus: false,
};

const pageOf = (cursor: number | undefined) => ({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });

export function auditQuery(projectId: string, wanted: Wanted) {
  return infiniteQueryOptions({
    ...paging,
    queryKey: [LIST, projectId, wanted] as const,
    queryFn: ({ pageParam, signal }) =>
      take(api.GET(LIST, { params: { path: { projectId }, query: { ...wanted, ...pageOf(pageParam) } }, signal })),
  });
}

export const ownAuditQuery = infiniteQueryOptions({
  ...paging,
  queryKey: [OWN] as const,
  queryFn: ({ pageParam, signal }) => take(api.GET(OWN, { params: { query: pageOf(pageParam) }, signal })),
});

/** Everybody who has an entry, former members too. */
export function peopleQuery(projectId: string) {
  return queryOptions({
    queryKey: [LIST, projectId, "people"] as const,
    queryFn: ({ signal }) => take(api.GET(`${LIST}/people`, { params: { path: { projectId } }, signal })),
  });
}

/** Saves all entries that pass the filters as a file. */
export async function exportLog(projectId: string, wanted: Wanted, format: FileKind): Promise<void> {
  let name = `audit.${format}`;
  const file = await take(
    api
      .GET(`${LIST}/export`, { params: { path: { projectId }, query: { ...wanted, format } }, parseAs: "blob" })
      .then((outcome) => {
        name = fileNameOf(outcome.response, name);
        return outcome;
      }),
  );
  saveFile(file, name);
}
