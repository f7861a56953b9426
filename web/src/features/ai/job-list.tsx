/** Translation jobs, each with how far it is, a way to cancel it, and every text that it could not translate. */
import { Button, CloseButton, Progress } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { failureOf, messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { cancelJob, isUnfinished, type Job } from "@/lib/jobs";
import { useLanguageNames } from "@/lib/languages";
import { may, refusals } from "@/lib/project";
import { apiQuery } from "@/lib/query";
import { look } from "@/ui/look";
import { Box, Row, Stack, Text } from "@/ui/parts";
import { PseudoNote } from "@/ui/pseudo-note";
import classes from "./job-tray.module.css";
import { countOf } from "./use-jobs";

export function JobList({
  jobs,
  project,
  onDismiss,
  onLeave,
}: {
  jobs: readonly Job[];
  project: Project;
  onDismiss: (job: Job) => void;
  /** A link of the list was followed. */
  onLeave: () => void;
}) {
  return (
    <>
      <ul aria-label="AI translations">
        {jobs.map((job) => (
          <JobItem key={job._id} job={job} project={project} onDismiss={() => onDismiss(job)} onLeave={onLeave} />
        ))}
      </ul>
      {jobs.some(({ provider }) => provider === "pseudo") && (
        <PseudoNote className={look({ pt: 10, lineAbove: true, size: "xs", tone: "ink-3" })} />
      )}
    </>
  );
}

function JobItem({
  job,
  project,
  onDismiss,
  onLeave,
}: {
  job: Job;
  project: Project;
  onDismiss: () => void;
  onLeave: () => void;
}) {
  const nameOf = useLanguageNames();
  const place = job.tabName ?? "All screens";
  const title = `${place} into ${nameOf(job.language).name}`;
  const percent = ((job.done + job.failedCount) / Math.max(job.total, 1)) * 100;
  return (
    <Stack as="li" gap={6} py={10} size="s" tone="ink-2" className={classes["job"]}>
      <Row align="center" justify="between" gap={8} minH={28}>
        <Text as="b" shrink weight={600} tone="ink" breaks>
          {title}
        </Text>
        {isUnfinished(job) ? (
          <CancelButton job={job} title={title} project={project} />
        ) : (
          <CloseButton size="sm" aria-label={`Dismiss ${title}`} onClick={onDismiss} />
        )}
      </Row>
      {isUnfinished(job) && <Progress value={percent} size={5} radius="xl" color="var(--ai)" aria-label={title} />}
      <p className="num">{stateOf(job)}</p>
      {job.failedCount > 0 && <Failures job={job} onLeave={onLeave} />}
    </Stack>
  );
}

function stateOf(job: Job): string {
  const number = (count: number) => count.toLocaleString("en");
  switch (job.status) {
    case "pending":
      return "Waits for another translation to finish.";
    case "running":
      return `${number(job.done + job.failedCount)} of ${number(job.total)} texts. What is translated stays if you cancel.`;
    case "cancelled":
      return `Cancelled. ${number(job.done)} of ${number(job.total)} texts are translated and stay.`;
    case "failed":
      return `${job.reason ?? "Auto-translation failed"} ${countOf(job)}`;
    default:
      return countOf(job);
  }
}

function CancelButton({ job, title, project }: { job: Job; title: string; project: Project }) {
  const client = useQueryClient();
  const [isCancelling, setCancelling] = useState(false);
  const cancel = async () => {
    setCancelling(true);
    try {
      await cancelJob(client, job);
    } catch (error) {
      toast.error(failureOf(error, "The translation could not be cancelled."));
    } finally {
      setCancelling(false);
    }
  };
  const off = may(project, "edit") ? {} : { disabled: true, title: refusals.edit };
  return (
    <Button size="xs" loading={isCancelling} aria-label={`Cancel ${title}`} {...off} onClick={() => void cancel()}>
      Cancel
    </Button>
  );
}

function Failures({ job, onLeave }: { job: Job; onLeave: () => void }) {
  // Its number is part of the key: more of them are another list.
  const more = { failedCount: job.failedCount, status: job.status };
  const { data, isError, error, refetch } = useQuery(
    apiQuery("/api/jobs/{jobId}", { path: { jobId: job._id } }, { more }),
  );
  if (isError) {
    return (
      <p role="alert">
        {messageOf(error, "The list of what failed could not be loaded.")}{" "}
        <Button size="xs" variant="subtle" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (data === undefined) return null;
  const hidden = data.failedCount - data.failed.length;
  return (
    <Box
      as="ul"
      px={10}
      py={6}
      fill="sunken"
      radius="s"
      scroll
      maxH={200}
      className={classes["failures"]}
      aria-label="Not translated"
    >
      {data.failed.map(({ tabName, key, reason }) => (
        <Box as="li" py={3} breaks key={`${tabName}.${key}`}>
          <Link
            className="mono"
            to={`/projects/${job.projectId}/${tabName}?scrollTo=${encodeURIComponent(key)}`}
            onClick={onLeave}
          >
            {tabName}.{key}
          </Link>{" "}
          {reason}
        </Box>
      ))}
      {hidden > 0 && (
        <Box as="li" py={3} breaks>
          And {hidden.toLocaleString("en")} more.
        </Box>
      )}
    </Box>
  );
}
