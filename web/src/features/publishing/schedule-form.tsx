/** The form that schedules a publish: a date and a time on the local clock, and the moment in UTC that they mean. */
import { Button, Radio, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { localZone } from "@/lib/instant";
import { keepProject, refreshProjectSoon } from "@/lib/project";
import { invalidate } from "@/lib/query";
import { formatInstant } from "@/lib/time";
import { useAttempt } from "@/lib/use-attempt";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { useLateFocus } from "@/ui/focus";
import { KeptNotice } from "@/ui/kept-notice";
import { Notice } from "@/ui/notice";
import { Grid, Row, Stack, Text } from "@/ui/parts";
import { hasLosses, lossWords } from "./losses";
import { diffQuery } from "./queries";
import classes from "./schedule-dialog.module.css";
import { lastDay, meant, problemOf, tomorrow } from "./schedule-instant";

const DEFAULT_TIME = "09:00";
const TAKEN = "A publish is already scheduled. Please cancel it before scheduling a new one.";
const TAKEN_SHOWN_MS = 4_000;

function failureOf(error: unknown): string {
  if (!(error instanceof ApiError)) return "Failed to create schedule: the server can't be reached. Please try again.";
  return messageOf(error, `Failed to create schedule (status: ${error.status}).`);
}

/** As the fields have it. */
interface Moment {
  readonly date: string;
  readonly time: string;
}

/** A stored moment that can still be chosen, or null. */
function momentIn(stored: unknown, first: string): Moment | null {
  const { date, time } = Object(stored) as Partial<Record<keyof Moment, unknown>>;
  if (typeof date !== "string" || typeof time !== "string" || date < first) return null;
  return date === first && time === DEFAULT_TIME ? null : { date, time };
}

export function ScheduleForm({
  project,
  isTaken,
  onScheduled,
}: {
  project: Project;
  /** Whether a publish is scheduled already. */
  isTaken: boolean;
  onScheduled: () => void;
}) {
  const { projectId } = project;
  const client = useQueryClient();
  const zone = localZone();
  const [opened] = useState(() => Date.now());
  const first = tomorrow(opened, zone);
  const [date, setDate] = useState(first);
  const [time, setTime] = useState(DEFAULT_TIME);
  const [turn, setTurn] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const kept = useKeptText<Moment>({ form: "schedule", project: projectId }, (stored) => momentIn(stored, first));
  useKeepTyped(kept, date === first && time === DEFAULT_TIME ? null : { date, time });
  const attempt = useAttempt();
  // The first time, the code and the list come later than the dialog.
  const dateField = useLateFocus<HTMLInputElement>();
  const { instants, isSkipped } = meant(date, time, zone);
  const chosen = instants[turn] ?? instants[0];
  const losses = useQuery(diffQuery(projectId)).data?.losses;
  /** Whether the draft takes nothing from apps. Until the server answers, it counts as not harmless. */
  const isHarmless = losses !== undefined && !hasLosses(losses);
  const schedule = useMutation({
    mutationFn: (publishAtString: string) =>
      take(
        api.POST("/api/schedule/project/{projectId}", { params: { path: { projectId } }, body: { publishAtString } }),
      ),
    onSuccess: ({ message, schedule: made }) => {
      keepProject(client, projectId, (present) => ({
        ...present,
        scheduledFor: made.publishAt,
        scheduleObstacle: null,
        scheduleFailed: null,
      }));
      // Only the server knows whether the plan lasts until then.
      refreshProjectSoon(client, projectId);
      kept.forget();
      toast.success(message || "Publish scheduled successfully!");
      onScheduled();
    },
    onError: (error) => {
      attempt.failed();
      if (error instanceof ApiError && error.code === "already_scheduled") tellTaken(messageOf(error, TAKEN));
      else setProblem(failureOf(error));
    },
    onSettled: () => invalidate(client, "/api/schedule/project/{projectId}", { path: { projectId } }),
  });

  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setTurn(0);
    setProblem(null);
  };
  const submit = () => {
    if (isTaken) {
      tellTaken(TAKEN);
      return;
    }
    const found = problemOf(date, time, chosen, Date.now(), zone);
    setProblem(found);
    if (found !== null || chosen === undefined || !attempt.begin()) return;
    schedule.mutate(new Date(chosen).toISOString());
  };
  return (
    <Stack
      as="form"
      gap={12}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <KeptNotice
        kept={kept}
        onContinue={(moment) => {
          change(setDate)(moment.date);
          setTime(moment.time);
        }}
      />
      <Grid gap={12} columns={2} className={classes["fields"]}>
        <TextInput
          ref={dateField}
          label="Publish date"
          type="date"
          data-autofocus
          min={first}
          max={lastDay(opened, zone)}
          value={date}
          onChange={(event) => change(setDate)(event.currentTarget.value)}
        />
        <TextInput
          label={`Publish time (${zone})`}
          type="time"
          value={time}
          onChange={(event) => change(setTime)(event.currentTarget.value)}
        />
      </Grid>
      <ClockChange instants={instants} isSkipped={isSkipped} time={time} zone={zone} turn={turn} onTurn={setTurn} />
      <Text size="s" tone="ink-2">
        UTC: <output className="num">{chosen === undefined ? "—" : new Date(chosen).toISOString()}</output>
      </Text>
      <Text size="s" tone="ink-3">
        The publish takes the whole draft of that moment, with all edits made until then, in your name.
      </Text>
      {losses !== undefined && !isHarmless && (
        <Notice tone="bad">With the draft as it is now, apps lose {lossWords(losses)}.</Notice>
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <Row justify="end">
        {/* Two fields and no submit button: Enter in a field schedules no removal. */}
        <Button
          {...(isHarmless ? { type: "submit" } : { type: "button", onClick: submit })}
          variant="filled"
          loading={schedule.isPending}
        >
          Schedule Publish
        </Button>
      </Row>
    </Stack>
  );
}

const tellTaken = (message: string) => toast.error(message, { duration: TAKEN_SHOWN_MS });

/** Shows which moment is meant if the clock jumps over the chosen time, and asks for the moment if the time comes twice. */
function ClockChange({
  instants,
  isSkipped,
  time,
  zone,
  turn,
  onTurn,
}: {
  instants: readonly number[];
  isSkipped: boolean;
  time: string;
  zone: string;
  turn: number;
  onTurn: (turn: number) => void;
}) {
  const [first] = instants;
  if (first === undefined) return null;
  if (isSkipped) {
    return (
      <Notice tone="warn">
        {time} does not exist on that day: clocks go forward. The publish happens at {formatInstant(first, zone)}.
      </Notice>
    );
  }
  if (instants.length === 1) return null;
  return (
    <Radio.Group
      label={`The clocks go back that day: ${time} comes twice. Which time?`}
      value={String(turn)}
      onChange={(value) => onTurn(Number(value))}
    >
      <Stack gap={6} mt={6}>
        {instants.map((instant, index) => (
          <Radio
            key={instant}
            value={String(index)}
            label={`The ${index === 0 ? "first" : "second"}: ${formatInstant(instant, zone)}`}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
