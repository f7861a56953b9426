/** The audit log of a project and of an account, page by page, newest first. */
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { fileNameOf, saveFile } from "@/lib/download";
import { apiPages, apiQuery } from "@/lib/query";
import type { Wanted } from "./filters";

const LIST = "/api/projects/{projectId}/audit";
const PAGE = 50;

export type Entry = Answer<typeof LIST, "get">[number];
export type FileKind = "csv" | "json";

/** Pages stay as they were read: a list of many pages must not be read again because the window is looked at. */
const paging = {
  next: (page: readonly Entry[]) => (page.length < PAGE ? null : Number(page.at(-1)?._id)),
  refetchOnWindowFocus: false,
};

export const auditQuery = (projectId: string, wanted: Wanted) =>
  apiPages(LIST, { path: { projectId }, query: { ...wanted, limit: PAGE } }, paging);

export const ownAuditQuery = apiPages("/api/user/audit", { query: { limit: PAGE } }, paging);

/** Everybody who has an entry, former members too. */
export const peopleQuery = (projectId: string) => apiQuery(`${LIST}/people`, { path: { projectId } });

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
