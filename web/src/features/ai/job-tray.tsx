/** In the project's header while AI translates, and until its results are dismissed: how far it is, and the list of it all. */
import { Button, Popover, Progress, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { isUnfinished, type Job } from "@/lib/jobs";
import { useNow } from "@/lib/use-now";
import { IconAlertTriangle, IconCircleCheck, IconSparkles } from "@/ui/icons";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";
import classes from "./job-tray.module.css";
import { useJobs, useShownJobs } from "./use-jobs";

const list = later(
  async () => (await import("./job-list")).JobList,
  <LoadingRows rows={3} height={44} label="Loading translations" />,
);

const sum = (jobs: readonly Job[], of: (job: Job) => number) => jobs.reduce((total, job) => total + of(job), 0);

export function JobTray({ project }: { project: Project }) {
  const jobs = useJobs(project.projectId);
  const { shown, dismiss } = useShownJobs(project.projectId, jobs, useNow());
  const [isOpen, setOpen] = useState(false);
  const running = shown.filter(isUnfinished);
  const total = sum(running, (job) => job.total);
  const percent = Math.floor((sum(running, (job) => job.done + job.failedCount) / Math.max(total, 1)) * 100);
  const failed = sum(shown, (job) => job.failedCount);
  const hasFailures = failed > 0 || shown.some((job) => job.status === "failed");
  const word =
    running.length > 0
      ? `Translating ${percent}%`
      : failed > 0
        ? `${failed.toLocaleString("en")} not translated`
        : hasFailures
          ? "Translation failed"
          : "Translated";
  const Icon = running.length > 0 ? IconSparkles : hasFailures ? IconAlertTriangle : IconCircleCheck;
  // A quarter at a time: a number each second would drown everything else.
  const spoken = running.length > 0 ? `AI translates, ${percent - (percent % 25)} percent done.` : "";
  if (shown.length === 0) return null;
  return (
    <>
      <VisuallyHidden role="status">{spoken}</VisuallyHidden>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        width="min(420px, calc(100vw - 32px))"
        shadow="none"
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <Button
            className={classes["pill"]}
            data-tone={running.length > 0 ? "ai" : hasFailures ? "warn" : "ok"}
            aria-label={`AI translations: ${word}`}
            leftSection={<Icon size={15} stroke={1.7} aria-hidden="true" />}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="num">{word}</span>
            {running.length > 0 && (
              <Progress className={classes["line"]} value={percent} size={2} color="var(--ai)" aria-hidden="true" />
            )}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes["panel"]} aria-label="AI translations">
          <list.Part jobs={shown} project={project} onDismiss={dismiss} onLeave={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
