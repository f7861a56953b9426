/** The jobs of a project while its pages are open: read each second while a job is unfinished, with the texts that they bring. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { isUnfinished, type Job, jobsQuery, noteFilled } from "@/lib/jobs";
import { useLanguageNames } from "@/lib/languages";
import { useMe } from "@/lib/queries";
import { readStored, writeStored } from "@/lib/storage";

const POLL_MS = 1_000;
/** Screens are read again at most this often while texts come in. */
const REFRESH_MS = 2_000;
const WITH_FAILURES_SHOWN_MS = 24 * 60 * 60_000;
const CLEAN_SHOWN_MS = 60_000;

const NO_JOBS: readonly Job[] = [];

export function useJobs(projectId: string): readonly Job[] {
  const { data } = useQuery({
    ...jobsQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnfinished) ? POLL_MS : false),
  });
  const jobs = data?.jobs ?? NO_JOBS;
  useFollowUp(projectId, jobs);
  return jobs;
}

function useFollowUp(projectId: string, jobs: readonly Job[]): void {
  const client = useQueryClient();
  const nameOf = useLanguageNames();
  const seen = useRef(new Map<string, Job>());
  const refreshedAt = useRef(0);
  useEffect(() => {
    let isEnded = false;
    let hasMore = false;
    for (const job of jobs) {
      const before = seen.current.get(job._id);
      seen.current.set(job._id, job);
      if (before === undefined || !isUnfinished(before)) continue;
      hasMore ||= job.done > before.done;
      if (isUnfinished(job)) continue;
      isEnded = true;
      tell(job, nameOf(job.language).name);
    }
    const isDue = Date.now() - refreshedAt.current >= REFRESH_MS;
    if (!isEnded && !(hasMore && isDue)) return;
    refreshedAt.current = Date.now();
    noteFilled(client, projectId);
  }, [client, projectId, jobs, nameOf]);
}

function tell(job: Job, language: string): void {
  if (job.status === "failed") toast.error(`${language}: ${job.reason ?? "Auto-translation failed"}`);
  else if (job.status === "done" && job.failedCount > 0) toast(`${language}: ${countOf(job)}`);
  else if (job.status === "done") toast.success(`${language}: ${countOf(job)}`);
}

/** How many texts a job has brought, in a sentence. */
export function countOf({ done, total, failedCount }: Job): string {
  const number = (count: number) => count.toLocaleString("en");
  const all = total === 1 ? "1 text" : `${number(total)} texts`;
  if (failedCount === 0 && done === total) return `${all} translated.`;
  return `${number(done)} of ${all} translated${failedCount > 0 ? `, ${number(failedCount)} could not be` : ""}.`;
}

export const hasFailed = ({ failedCount, status }: Job) => failedCount > 0 || status === "failed";

/**
 * The jobs to show. Everybody sees the unfinished jobs. Only the person who started a job sees it after its end, until `dismiss`: for a
 * minute, or for a day if something failed.
 */
export function useShownJobs(projectId: string, jobs: readonly Job[], now: number) {
  const storageKey = `dismissedJobs:${projectId}`;
  const { data: me } = useMe();
  const [dismissed, setDismissed] = useState<readonly string[]>(() => (readStored(storageKey) ?? "").split(" "));
  const dismiss = (ended: readonly Job[]) => {
    if (ended.length === 0) return;
    // The server lists twenty jobs at most.
    const ids = [...dismissed, ...ended.map(({ _id }) => _id)].slice(-20);
    writeStored(storageKey, ids.join(" "));
    setDismissed(ids);
  };
  const isRecent = (job: Job) => {
    const shownMs = hasFailed(job) ? WITH_FAILURES_SHOWN_MS : CLEAN_SHOWN_MS;
    return job.finishedAt !== null && now - Date.parse(job.finishedAt) < shownMs;
  };
  const isForMe = (job: Job) =>
    job.startedBy === me?._id && job.total > 0 && isRecent(job) && !dismissed.includes(job._id);
  return { shown: jobs.filter((job) => isUnfinished(job) || isForMe(job)), dismiss };
}
