/** Filling a language with AI: what it would find, the job that does it, and the jobs of a project. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api, take } from "./api";
import type { Answer, Project } from "./api-types";
import { refreshProjectSoon } from "./project";
import { apiQuery, invalidate, listCache } from "./query";
import { randomId } from "./random-id";

export type Job = Answer<"/api/projects/{projectId}/jobs", "get">["jobs"][number];

export const isUnfinished = ({ status }: Job) => status === "pending" || status === "running";

/** Takes the place of a screen's name in an address. */
const ALL_SCREENS = "_all_tabs_";

const JOBS = "/api/projects/{projectId}/jobs";
const jobLists = listCache(JOBS, { list: "jobs" });

/** The newest jobs, newest first, without what failed in them. */
export const jobsQuery = (projectId: string) =>
  apiQuery(JOBS, { path: { projectId } }, { refetchOnWindowFocus: "always" });

export interface Fill {
  /** Null for all screens. */
  screen: string | null;
  language: string;
  reference: string;
  isOverwriting: boolean;
}

/** How many texts a language lacks, and who wrote the texts that it has. */
export function fillPreviewQuery(projectId: string, { screen, language, reference }: Omit<Fill, "isOverwriting">) {
  const path = { projectId, tabName: screen ?? ALL_SCREENS, lang: language };
  return apiQuery(
    "/api/translations/{projectId}/{tabName}/{lang}/auto-translate",
    { path, query: { referenceLanguage: reference } },
    // Texts come and go: the preview is fetched again whenever it is shown.
    { staleTime: 0, gcTime: 0 },
  );
}

/** Starts a job, or throws as `take` does. A second try of the same fill, after a lost answer, starts no second job. */
export function useStartFill({
  projectId,
  languages,
}: Project): (fill: Fill) => Promise<{ message: string; job: Job }> {
  const client = useQueryClient();
  const attempt = useRef({ of: "", id: "" });
  return async (fill) => {
    const of = JSON.stringify(fill);
    if (attempt.current.of !== of) attempt.current = { of, id: randomId() };
    const started = await take(
      api.POST("/api/translations/{projectId}/{tabName}/{lang}/auto-translate", {
        params: {
          path: { projectId, tabName: fill.screen ?? ALL_SCREENS, lang: fill.language },
          header: { "idempotency-key": attempt.current.id },
        },
        body: { referenceLanguage: fill.reference, allTabs: fill.screen === null, overwrite: fill.isOverwriting },
      }),
    );
    attempt.current = { of: "", id: "" };
    putJob(client, started.job);
    if (!languages.includes(started.job.language)) {
      await invalidate(client, "/api/projects/{projectId}", { path: { projectId } });
    }
    return started;
  };
}

/** Cancels a job, or throws as `take` does. What it filled stays. */
export async function cancelJob(client: QueryClient, job: Job): Promise<void> {
  putJob(client, await take(api.DELETE("/api/jobs/{jobId}", { params: { path: { jobId: job._id } } })));
}

/** Puts a job in the place of its former self, or first. */
function putJob(client: QueryClient, job: Job): void {
  const params = { path: { projectId: job.projectId } };
  jobLists.change(client, params, (jobs) => {
    const isKnown = jobs.some(({ _id }) => _id === job._id);
    return isKnown ? jobs.map((one) => (one._id === job._id ? job : one)) : [job, ...jobs];
  });
  void invalidate(client, JOBS, params);
}

/** Reads the screens and the project's counts again: AI has written texts. */
export function noteFilled(client: QueryClient, projectId: string): void {
  const params = { path: { projectId } };
  void invalidate(client, "/api/translations/{projectId}/{tabName}", params, { cancelRefetch: false });
  refreshProjectSoon(client, projectId);
}
