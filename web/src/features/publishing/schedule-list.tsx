/** Scheduled publishes in words: the pending publish, and briefly the ended publishes. */
import { Button, Tooltip } from "@mantine/core";
import { useState } from "react";
import { localZone } from "@/lib/instant";
import { formatInstant, formatMoment, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Badge, type BadgeTone } from "@/ui/badge";
import { obstacleWords } from "./schedule-button";
import classes from "./schedule-dialog.module.css";
import type { Schedule } from "./schedule-queries";

const SHOWN_AT_FIRST = 3;

export function PendingSchedule({
  schedule,
  obstacle,
  refusal,
  onCancel,
}: {
  schedule: Schedule;
  /** Why it will not be published, as far as that is known, or null. */
  obstacle: string | null;
  refusal: string | null;
  onCancel: () => void;
}) {
  const zone = localZone();
  return (
    <section className={classes["pending"]} data-tone={obstacle === null ? undefined : "bad"} aria-label="Waiting">
      <div className={classes["about"]}>
        <b>
          {formatInstant(new Date(schedule.publishAt).getTime(), zone)} <span>({zone})</span>
        </b>
        {obstacle !== null && <span className={classes["obstacle"]}>{obstacleWords(obstacle)}</span>}
        <span>
          <Until moment={schedule.publishAt} /> · UTC: <span className={classes["moment"]}>{schedule.publishAt}</span> ·
          by {schedule.by}
        </span>
      </div>
      <Tooltip label={refusal} disabled={refusal === null}>
        <Button
          size="xs"
          {...(refusal === null
            ? { onClick: onCancel }
            : { "data-disabled": true, "aria-disabled": true, "aria-description": refusal })}
        >
          Cancel
        </Button>
      </Tooltip>
    </section>
  );
}

/** In the words of the header: nothing that is ahead happened 'just now'. */
function Until({ moment }: { moment: string }) {
  const now = useNow();
  const left = new Date(moment).getTime() - now;
  const isNear = left > 0 && left < 60_000;
  return (
    <time dateTime={moment} title={formatMoment(moment)}>
      {isNear ? "in less than a minute" : left > 0 ? relativeTime(moment, now) : "now"}
    </time>
  );
}

export function EndedSchedules({ schedules }: { schedules: readonly Schedule[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? schedules : schedules.slice(0, SHOWN_AT_FIRST);
  return (
    <section className={classes["ended"]} aria-label="Earlier">
      <h3>Earlier</h3>
      <ul>
        {shown.map((schedule) => (
          <li key={schedule._id}>
            <Badge tone={TONES[schedule.status]}>{WORDS[schedule.status]}</Badge>
            {schedule.late && <Badge tone="warn">Late</Badge>}
            <span className={classes["about"]}>
              <span>{formatInstant(new Date(schedule.publishAt).getTime(), localZone())}</span>
              <span>{whatBecameOf(schedule)}</span>
            </span>
          </li>
        ))}
      </ul>
      {schedules.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          Show all {schedules.length}
        </Button>
      )}
    </section>
  );
}

const TONES: Record<Schedule["status"], BadgeTone> = {
  pending: "plain",
  published: "ok",
  failed: "bad",
  cancelled: "plain",
};

const WORDS: Record<Schedule["status"], string> = {
  pending: "Waiting",
  published: "Published",
  failed: "Failed",
  cancelled: "Cancelled",
};

function whatBecameOf({ status, release, late, endedAt, reason, by }: Schedule): string {
  if (status === "failed") return `${reason ?? ""} Scheduled by ${by}.`.trim();
  if (status !== "published") return `Scheduled by ${by}.`;
  const outcome = release === null ? "There was nothing new" : `Release ${release}`;
  const delay =
    late && endedAt !== null
      ? `, at ${formatInstant(new Date(endedAt).getTime(), localZone())}: the server was away or busy at its time`
      : "";
  return `${outcome}${delay}. Scheduled by ${by}.`;
}
