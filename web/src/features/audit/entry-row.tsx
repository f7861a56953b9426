/** One entry: when, who, from where, what; and on demand what it changed. */
import { UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { formatMoment } from "@/lib/time";
import { IconChevronRight } from "@/ui/icons";
import { look } from "@/ui/look";
import { Grid, Row, Text } from "@/ui/parts";
import classes from "./audit.module.css";
import { Changes } from "./changes";
import type { Entry } from "./queries";

export function EntryRow({ entry, isOpen, onToggle }: { entry: Entry; isOpen: boolean; onToggle: () => void }) {
  const id = useId();
  const hasChange = entry.before !== null || entry.after !== null;
  const { name, note, title } = actorOf(entry);
  return (
    <div className={classes["entry"]} data-open={isOpen || undefined}>
      <Grid
        align="baseline"
        px={16}
        py={12}
        size="s"
        gap={4}
        gapX={14}
        minH={45}
        smallPx={12}
        smallPy={10}
        className={classes["line"]}
      >
        <Text as="time" tone="ink-2" num className={classes["when"]} dateTime={entry.timestamp} title={entry.timestamp}>
          {formatMoment(entry.timestamp)}
        </Text>
        <Text as="span" shrink weight={500} breaks className={classes["who"]} title={title}>
          <bdi>{name}</bdi>
          {note !== "" && (
            <Text as="span" weight={400} tone="ink-3">
              {" "}
              {note}
            </Text>
          )}
        </Text>
        <Text as="span" shrink tone="ink-3" breaks className={classes["address"]}>
          {entry.address}
        </Text>
        {hasChange ? (
          <UnstyledButton
            className={look(
              {
                layout: "row",
                align: "baseline",
                justify: "between",
                gap: 10,
                shrink: true,
                radius: "s",
                size: "s",
                textAlign: "start",
                breaks: true,
                smallMinH: 24,
                ring: true,
              },
              classes["act"],
            )}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={onToggle}
          >
            <Text as="span" shrink>
              {entry.action}
            </Text>
            <IconChevronRight
              className={look({ self: "center", rigid: true, tone: "ink-3" })}
              size={15}
              aria-hidden="true"
            />
          </UnstyledButton>
        ) : (
          <Row
            as="span"
            align="baseline"
            justify="between"
            gap={10}
            shrink
            radius="s"
            size="s"
            textAlign="start"
            breaks
            smallMinH={24}
            className={classes["act"]}
          >
            {entry.action}
          </Row>
        )}
      </Grid>
      {hasChange && isOpen && <Changes entry={entry} id={id} />}
    </div>
  );
}

function actorOf({ actor }: Entry): { name: string; note: string; title: string | undefined } {
  const title = actor.email ?? undefined;
  switch (actor.kind) {
    case "job":
      return actor.name === null
        ? { name: "Livery", note: "", title: "Done by the server itself" }
        : { name: actor.name, note: "by a job", title };
    case "operator":
      return { name: actor.name ?? "Operator", note: actor.name === null ? "" : "by the operator", title };
    default:
      return { name: actor.name ?? "Unknown person", note: "", title };
  }
}
