/** The translation jobs in a project's header: a chip with the progress, and the list of the jobs. */
import { Modal, Popover, Progress, VisuallyHidden } from "@mantine/core";
import { type Ref, useEffect, useImperativeHandle, useState } from "react";
import type { Project } from "@/lib/api-types";
import { isUnfinished, type Job } from "@/lib/jobs";
import { useNow } from "@/lib/use-now";
import { focusPageIfStaysLost } from "@/ui/focus";
import { HeaderChip } from "@/ui/header-chip";
import { IconAlertTriangle, IconCircleCheck, IconSparkles } from "@/ui/icons";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { LoadingRows } from "@/ui/states";
import classes from "./job-tray.module.css";
import { hasFailed, useJobs, useShownJobs } from "./use-jobs";

const list = later(
  async () => (await import("./job-list")).JobList,
  <LoadingRows rows={3} height={44} label="Loading translations" />,
);

const TITLE = "AI translations";

export interface JobTrayProps {
  project: Project;
  /** Whether the list is a dialog. A phone has no room for the chip, and opens the list from a menu. */
  isDialog?: boolean;
  handle?: Ref<{ open: () => void }>;
  /** Called with the words of the chip; null if there is no job to show. */
  onWords?: (words: string | null) => void;
}

export function JobTray({ project, isDialog = false, handle, onWords }: JobTrayProps) {
  const jobs = useJobs(project.projectId);
  const { shown, dismiss } = useShownJobs(project.projectId, jobs, useNow());
  const [isOpen, setOpen] = useState(false);
  const { words, spoken, ...look } = chipOf(shown);
  const told = shown.length === 0 ? null : words;
  useImperativeHandle(handle, () => ({ open: () => setOpen(true) }), []);
  useEffect(() => onWords?.(told), [told, onWords]);
  const isOver = isOpen && shown.length === 0;
  useEffect(() => {
    if (!isOver) return;
    // The next job must not open the list. The list may have had the focus.
    setOpen(false);
    focusPageIfStaysLost();
  }, [isOver]);
  if (shown.length === 0) return null;

  const close = () => {
    setOpen(false);
    dismiss(shown.filter((job) => !isUnfinished(job)));
    // The chip, which had the focus, may be gone.
    focusPageIfStaysLost();
  };
  // The list of failures stays while its links are followed.
  const leave = () => {
    setOpen(false);
    dismiss(shown.filter((job) => !isUnfinished(job) && !hasFailed(job)));
  };
  const dismissOne = (job: Job) => {
    if (shown.length === 1) close();
    else dismiss([job]);
  };
  const content = <list.Part jobs={shown} project={project} onDismiss={dismissOne} onLeave={leave} />;
  return (
    <>
      <VisuallyHidden role="status">{spoken}</VisuallyHidden>
      {isDialog ? (
        <Modal opened={isOpen} onClose={close} title={TITLE} size="sm">
          {content}
        </Modal>
      ) : (
        <Popover
          opened={isOpen}
          onChange={(opened) => (opened ? setOpen(true) : close())}
          position="bottom-end"
          width="min(420px, calc(100vw - 32px))"
          shadow="none"
          trapFocus
          returnFocus
          withinPortal
        >
          <Popover.Target>
            <HeaderChip
              part="job"
              aria-label={`${TITLE}: ${words}`}
              title={`${TITLE}: ${words}`}
              {...look}
              onClick={() => (isOpen ? close() : setOpen(true))}
            />
          </Popover.Target>
          <Popover.Dropdown className={classes["panel"]} aria-label={TITLE}>
            {content}
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}

const sum = (jobs: readonly Job[], of: (job: Job) => number) => jobs.reduce((total, job) => total + of(job), 0);

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

/** The chip's text, and its name for screen readers. */
function chipOf(jobs: readonly Job[]) {
  const running = jobs.filter(isUnfinished);
  if (running.length > 0) {
    const done = sum(running, (job) => job.done + job.failedCount);
    const percent = Math.floor(
      (done /
        Math.max(
          sum(running, (job) => job.total),
          1,
        )) *
        100,
    );
    return {
      tone: "ai" as const,
      icon: <IconSparkles {...icon} />,
      before: (
        <>
          Translating
          <Progress className={look({ w: 28 })} value={percent} size={4} color="var(--ai)" aria-hidden="true" />
        </>
      ),
      short: `${percent}%`,
      words: `Translating ${percent}%`,
      // A screen reader hears each quarter. A number each second would drown everything else.
      spoken: `AI translates, ${percent - (percent % 25)} percent done.`,
    };
  }
  const failed = sum(jobs, (job) => job.failedCount);
  const warning = { tone: "warn" as const, icon: <IconAlertTriangle {...icon} />, spoken: "" };
  if (failed > 0) {
    const short = failed.toLocaleString("en");
    return { ...warning, short, after: "not translated", words: `${short} not translated` };
  }
  if (jobs.some(hasFailed)) return { ...warning, after: "Translation failed", words: "Translation failed" };
  const words = "Translated";
  return { tone: "ok" as const, icon: <IconCircleCheck {...icon} />, after: words, words, spoken: "" };
}
