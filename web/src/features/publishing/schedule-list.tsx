/** Scheduled publishes in words: the pending publish, and briefly the ended publishes. */
import { Button, Tooltip } from "@mantine/core";
import { useState } from "react";
import { localZone } from "@/lib/instant";
import { formatInstant, formatMoment, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Badge, type BadgeTone } from "@/ui/badge";
import { look } from "@/ui/look";
import { Box, Heading, Row, Stack, Text } from "@/ui/parts";
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
    <Row
      as="section"
      align="center"
      justify="between"
      gap={12}
      px={14}
      py={12}
      fill="warn-soft"
      radius="m"
      className={classes["pending"]}
      data-tone={obstacle === null ? undefined : "bad"}
      aria-label="Waiting"
    >
      <Stack gap={2} shrink size="s" breaks num>
        <b>
          {formatInstant(new Date(schedule.publishAt).getTime(), zone)}{" "}
          <Text as="span" weight={500}>
            ({zone})
          </Text>
        </b>
        {obstacle !== null && (
          <Text as="span" weight={600} tone="bad">
            {obstacleWords(obstacle)}
          </Text>
        )}
        <Text as="span" size="xs" tone="ink-2">
          <Until moment={schedule.publishAt} /> · UTC:{" "}
          {/* Else a narrow screen breaks it after a hyphen of the date. */}
          <Text as="span" space="nowrap">
            {schedule.publishAt}
          </Text>{" "}
          · by {schedule.by}
        </Text>
      </Stack>
      <Tooltip label={refusal} disabled={refusal === null}>
        <Button
          size="xs"
          className={look({ rigid: true })}
          {...(refusal === null
            ? { onClick: onCancel }
            : { "data-disabled": true, "aria-disabled": true, "aria-description": refusal })}
        >
          Cancel
        </Button>
      </Tooltip>
    </Row>
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
    <Stack as="section" align="start" gap={4} pt={14} lineAbove aria-label="Earlier">
      <Heading as="h3" size="s">
        Earlier
      </Heading>
      <Box as="ul" full>
        {shown.map((schedule) => (
          <Row as="li" align="baseline" gap={8} py={6} key={schedule._id}>
            <Badge tone={TONES[schedule.status]}>{WORDS[schedule.status]}</Badge>
            {schedule.late && <Badge tone="warn">Late</Badge>}
            <Stack as="span" gap={2} shrink size="s" breaks num>
              <span>{formatInstant(new Date(schedule.publishAt).getTime(), localZone())}</span>
              <Text as="span" size="xs" tone="ink-2">
                {whatBecameOf(schedule)}
              </Text>
            </Stack>
          </Row>
        ))}
      </Box>
      {schedules.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          Show all {schedules.length}
        </Button>
      )}
    </Stack>
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
