/** What the header shows of scheduled publishes: the button that opens their dialog, and when the draft goes out by itself. */
import { Button, Tooltip, UnstyledButton } from "@mantine/core";
import { IconCalendarClock, IconClockUp, IconLock } from "@tabler/icons-react";
import type { Project } from "@/lib/api-types";
import { localZone, shortInstant } from "@/lib/instant";
import { may, refusals } from "@/lib/project";
import { relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
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

/** While one waits. `isLong` says all of it, where there is a line for it. */
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
  if (project.scheduledFor === null) return null;
  const instant = new Date(project.scheduledFor).getTime();
  const zone = localZone();
  const short = shortInstant(instant, now, zone);
  const distance = relativeTime(instant, now);
  // 'tomorrow, tomorrow 09:00' would say it twice.
  const when = short.startsWith(distance) ? short : `${distance}, ${short}`;
  const isNear = instant - now < 60_000;
  const whole = instant <= now ? "Publishes now" : `Publishes ${isNear ? "in less than a minute" : when} (${zone})`;
  return (
    <Tooltip label={whole} disabled={isLong}>
      <UnstyledButton
        className={classes["chip"]}
        data-long={isLong || undefined}
        aria-haspopup="dialog"
        aria-label={whole}
        onClick={onOpen}
      >
        <IconClockUp size={15} stroke={1.7} aria-hidden="true" />
        <span>{isLong ? whole : instant > now ? short : "now"}</span>
      </UnstyledButton>
    </Tooltip>
  );
}
