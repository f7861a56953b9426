/** What the header shows of scheduled publishes: the button that opens their dialog, and when the draft goes out by itself. */
import { Button, Tooltip, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import type { Project } from "@/lib/api-types";
import { localZone, shortInstant } from "@/lib/instant";
import { may, refusals } from "@/lib/project";
import { relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { IconCalendarClock, IconCalendarX, IconClockUp, IconLock } from "@/ui/icons";
import classes from "./schedule-button.module.css";

export const NEEDS_SCHEDULING = "Scheduled publishing is part of the Pro Tier and of the free month.";

export function ScheduleButton({ project, onOpen }: { project: Project; onOpen: () => void }) {
  const refusal = !project.hasScheduling ? NEEDS_SCHEDULING : may(project, "publish") ? null : refusals.publish;
  const Icon = project.hasScheduling ? IconCalendarClock : IconLock;
  return (
    <Tooltip label={refusal ?? "Choose when your changes go out"}>
      <Button
        className={classes["button"]}
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

/** What is said of a publish that waits in vain. */
export const obstacleWords = (reason: string): string =>
  `Will not go out: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;

/** While one waits, or the last one failed and its changes still wait. `isLong` says all of it, where there is a line for it. */
export function ScheduleChip({
  project,
  isLong = false,
  onOpen,
}: {
  project: Project;
  isLong?: boolean;
  onOpen: () => void;
}) {
  const now = useNow();
  const zone = localZone();
  if (project.scheduledFor === null) {
    if (project.scheduleFailed === null) return null;
    const at = shortInstant(new Date(project.scheduleFailed).getTime(), now, zone);
    return (
      <Chip
        tone="bad"
        icon={<IconCalendarX size={15} stroke={1.7} aria-hidden="true" />}
        short="Publish failed"
        whole={`The publish scheduled for ${at} failed. See why`}
        isLong={isLong}
        onOpen={onOpen}
      />
    );
  }
  const instant = new Date(project.scheduledFor).getTime();
  const short = shortInstant(instant, now, zone);
  if (project.scheduleObstacle !== null) {
    return (
      <Chip
        tone="bad"
        icon={<IconCalendarX size={15} stroke={1.7} aria-hidden="true" />}
        short="Will not go out"
        whole={`${obstacleWords(project.scheduleObstacle)} Scheduled for ${short} (${zone})`}
        isLong={isLong}
        onOpen={onOpen}
      />
    );
  }
  const distance = relativeTime(instant, now);
  // 'tomorrow, tomorrow 09:00' would say it twice.
  const when = short.startsWith(distance) ? short : `${distance}, ${short}`;
  const isNear = instant - now < 60_000;
  const whole = instant <= now ? "Publishes now" : `Publishes ${isNear ? "in less than a minute" : when} (${zone})`;
  return (
    <Chip
      icon={<IconClockUp size={15} stroke={1.7} aria-hidden="true" />}
      short={instant > now ? short : "now"}
      whole={whole}
      isLong={isLong}
      onOpen={onOpen}
    />
  );
}

function Chip({
  tone,
  icon,
  short,
  whole,
  isLong,
  onOpen,
}: {
  tone?: "bad";
  icon: ReactNode;
  short: string;
  whole: string;
  isLong: boolean;
  onOpen: () => void;
}) {
  return (
    <Tooltip label={whole} disabled={isLong}>
      <UnstyledButton
        className={classes["chip"]}
        data-tone={tone}
        data-long={isLong || undefined}
        aria-haspopup="dialog"
        aria-label={whole}
        onClick={onOpen}
      >
        {icon}
        <span>{isLong ? whole : short}</span>
      </UnstyledButton>
    </Tooltip>
  );
}
