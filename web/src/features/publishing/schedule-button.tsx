/**
 * What the header shows of scheduled publishes: the button that opens their dialog, and when the draft is published by
 * itself.
 */
import { Button, Tooltip } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { localZone } from "@/lib/instant";
import { may, refusals } from "@/lib/project";
import { capitalised } from "@/lib/text";
import { relativeTime, shortInstant } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { HeaderChip } from "@/ui/header-chip";
import { IconCalendarClock, IconCalendarX, IconClockUp, IconLock } from "@/ui/icons";
import classes from "./schedule-button.module.css";

export const NEEDS_SCHEDULING = "Scheduled publishing is part of the Pro Tier and of the free month.";

export function ScheduleButton({ project, onOpen }: { project: Project; onOpen: () => void }) {
  const refusal = !project.hasScheduling ? NEEDS_SCHEDULING : may(project, "publish") ? null : refusals.publish;
  const Icon = project.hasScheduling ? IconCalendarClock : IconLock;
  return (
    <Tooltip label={refusal ?? "Choose when your changes are published"}>
      <Button
        className={classes["button"] ?? ""}
        leftSection={<Icon size={16} stroke={1.7} aria-hidden="true" />}
        aria-haspopup="dialog"
        {...(refusal === null ? {} : { "aria-description": refusal })}
        onClick={onOpen}
      >
        Schedule Publish
      </Button>
    </Tooltip>
  );
}

/** The message about a scheduled publish that will fail. */
export const obstacleWords = (reason: string): string =>
  `Will not publish: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;

/** What is known of the scheduled publish: the words of its chip, and the whole sentence. Null if there is nothing to report. */
export function scheduleStateOf(project: Project, now: number): ScheduleState | null {
  const zone = localZone();
  if (project.scheduledFor === null) {
    if (project.scheduleFailed === null) return null;
    const at = shortInstant(new Date(project.scheduleFailed).getTime(), now, zone);
    return { isBad: true, short: "Publish failed", whole: `The publish scheduled for ${at} failed. See why` };
  }
  const instant = new Date(project.scheduledFor).getTime();
  const short = shortInstant(instant, now, zone);
  if (project.scheduleObstacle !== null) {
    const whole = `${obstacleWords(project.scheduleObstacle)} Scheduled for ${short} (${zone})`;
    return { isBad: true, short: "Will not publish", whole };
  }
  const distance = relativeTime(instant, now);
  // Not 'tomorrow, tomorrow 9:00 AM'.
  const when = short.startsWith(distance) ? short : `${distance}, ${short}`;
  const isNear = instant - now < 60_000;
  const whole = instant <= now ? "Publishes now" : `Publishes ${isNear ? "in less than a minute" : when} (${zone})`;
  return { isBad: false, short: instant > now ? capitalised(short) : "Now", whole };
}

export interface ScheduleState {
  isBad: boolean;
  short: string;
  whole: string;
}

/** While a publish is scheduled, or the last one failed and its changes are still unpublished. */
export function ScheduleChip({ project, onOpen }: { project: Project; onOpen: () => void }) {
  const state = scheduleStateOf(project, useNow());
  if (state === null) return null;
  const Icon = state.isBad ? IconCalendarX : IconClockUp;
  return (
    <Tooltip label={state.whole}>
      <HeaderChip
        part="due"
        tone={state.isBad ? "bad" : "warn"}
        icon={<Icon size={14} stroke={1.7} aria-hidden="true" />}
        after={state.short}
        aria-haspopup="dialog"
        aria-label={state.whole}
        onClick={onOpen}
      />
    </Tooltip>
  );
}
