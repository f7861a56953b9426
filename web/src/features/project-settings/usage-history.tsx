/** The last 30 days, as two small charts and day by day. */
import { type PointerEvent, useState } from "react";
import { formatBytes } from "@/lib/bytes";
import { USAGE_HISTORY_DAYS } from "@/lib/limits.gen";
import { formatUtcDay } from "@/lib/time";
import { look } from "@/ui/look";
import { Box, Grid, Heading, Row, Text } from "@/ui/parts";
import type { Usage } from "./queries";
import classes from "./usage-section.module.css";

type History = Usage["history"];

const whole = (number: number) => number.toLocaleString("en");

export function UsageHistory({ history }: { history: History }) {
  const isEmpty = history.every(({ apiInteractions, bytes }) => apiInteractions === 0 && bytes === 0);
  if (isEmpty) {
    return (
      <Box p={16} lineAbove>
        <Heading as="h3" mb={12} size="s">
          Last {USAGE_HISTORY_DAYS} days
        </Heading>
        <Text mt={6} size="s" tone="ink-2">
          No app has read this project yet. What apps fetch shows up here at once.
        </Text>
      </Box>
    );
  }
  return (
    <Box p={16} lineAbove>
      <Heading as="h3" mb={12} size="s">
        Last {USAGE_HISTORY_DAYS} days
      </Heading>
      <Grid gap={16} gapX={32} columns={2} className={classes["charts"]}>
        <Chart
          title="API interactions"
          days={history.map(({ day, apiInteractions }) => ({ day, amount: apiInteractions }))}
          format={whole}
        />
        <Chart
          title="Bandwidth"
          days={history.map(({ day, bytes }) => ({ day, amount: bytes }))}
          format={formatBytes}
        />
      </Grid>
      <DayByDay history={history} />
    </Box>
  );
}

interface Day {
  day: string;
  amount: number;
}

const HEIGHT = 60;
const STEP = 10;

/** A bar a day; pointing at a bar shows its number. The table beside it has the same numbers for everybody else. */
function Chart({ title, days, format }: { title: string; days: readonly Day[]; format: (amount: number) => string }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const most = Math.max(...days.map(({ amount }) => amount), 1);
  const total = days.reduce((sum, { amount }) => sum + amount, 0);
  const shown = pointed === null ? undefined : days[pointed];
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (width > 0)
      setPointed(Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length))));
  };
  return (
    <figure className={classes["chart"]}>
      <Row as="figcaption" wrap justify="between" gap={0} gapX={12} mb={6} size="s">
        <span>{title}</span>
        <Text as="span" tone="ink-2" num>
          {shown === undefined ? `${format(total)} in all` : `${formatUtcDay(shown.day)}: ${format(shown.amount)}`}
        </Text>
      </Row>
      <svg
        className={look({ layout: "block", full: true })}
        aria-hidden="true"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(null)}
      >
        {days.map(({ day, amount }, index) => {
          // A day with anything at all is seen.
          const height = amount === 0 ? 0 : Math.max(1.5, (amount / most) * HEIGHT);
          return (
            <rect
              key={day}
              x={index * STEP + 1}
              y={HEIGHT - height}
              width={STEP - 2}
              height={height}
              data-pointed={index === pointed || undefined}
            />
          );
        })}
      </svg>
      <Row justify="between" mt={4} size="xs" tone="ink-3" aria-hidden="true">
        <span>{formatUtcDay(days[0]?.day ?? "")}</span>
        <span>Today</span>
      </Row>
    </figure>
  );
}

function DayByDay({ history }: { history: History }) {
  return (
    <details className={look({ mt: 14, size: "s" }, classes["days"])}>
      <summary className={look({ py: 4, tone: "ink-2", pointer: true })}>Day by day</summary>
      <section
        className={look({ mt: 8, border: "line", radius: "s", scroll: true }, classes["scroll"])}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, which the keyboard can do only from inside.
        tabIndex={0}
        aria-label="Usage day by day"
      >
        <table className={look({ full: true, num: true })}>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">API interactions</th>
              <th scope="col">Bandwidth</th>
            </tr>
          </thead>
          <tbody>
            {history.toReversed().map(({ day, apiInteractions, bytes }) => (
              <tr key={day}>
                <th scope="row" className={look({ space: "nowrap" })}>
                  {formatUtcDay(day)}
                </th>
                <td>{whole(apiInteractions)}</td>
                <td>{formatBytes(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
