/** One change in a list: with a tick box before it where changes can be left out. */
import { Button } from "@mantine/core";
import { type ReactNode, useContext } from "react";
import classes from "./change-row.module.css";
import { markOf } from "./diff-section";
import { IconArrowBackUp } from "./icons";
import { Box, Text } from "./parts";
import { TickBox } from "./tick-box";
import { TicksContext } from "./ticks";

/** What a row needs to know of its change. */
export interface RowChange {
  /** Without it the change can't be left out. */
  ref?: string | null | undefined;
  name: string;
}

export function ChangeRow({
  of,
  as: Row = "li",
  className = "",
  isMarked = false,
  children,
}: {
  of: RowChange;
  as?: "li" | "div";
  className?: string | undefined;
  /** Whether it is the change to look at. */
  isMarked?: boolean;
  children: ReactNode;
}) {
  const ticks = useContext(TicksContext);
  const { ref, name } = of;
  if (ticks === null || !ref) {
    return (
      <Row className={className} {...markOf(isMarked)}>
        {children}
      </Row>
    );
  }
  const state = ticks.stateOf(ref);
  const reason = ticks.fixedBy(ref);
  return (
    <Row
      className={`${className} ${classes["row"]}`}
      data-row
      data-out={state === "off" || undefined}
      {...markOf(isMarked)}
    >
      <TickBox
        of={ref}
        state={state}
        label={name}
        isFixed={reason !== null}
        title={reason ?? undefined}
        onTick={(isOn) => ticks.tick(ref, isOn)}
      />
      <Box shrink className={classes["body"]}>
        {children}
      </Box>
    </Row>
  );
}

/** At the end of a change's first line: that it stays in the draft. */
export function StaysMark({ of: { ref } }: { of: RowChange }) {
  const ticks = useContext(TicksContext);
  const state = ticks === null || !ref ? "on" : ticks.stateOf(ref);
  if (state === "on") return null;
  return (
    <Text as="span" px={7} size="xs" lineH={18} space="nowrap" className={classes["stays"]}>
      {state === "off" ? "stays in the draft" : "part stays in the draft"}
    </Text>
  );
}

/** Discards the change; in sight while the row is pointed at or has the focus. */
export function DiscardButton({ of: { ref, name } }: { of: RowChange }) {
  const discard = useContext(TicksContext)?.discard ?? null;
  if (discard === null || !ref) return null;
  return (
    <Button
      size="xs"
      className={classes["discard"] ?? ""}
      aria-label={`Discard ${name}`}
      onClick={() => discard(ref, name)}
    >
      <IconArrowBackUp size={13} aria-hidden="true" />
      <Text as="span" ms={6} spokenAt="small">
        Discard
      </Text>
    </Button>
  );
}

/** One text of a change, dimmed where it is left out without the others. */
export function SlotRow({
  unit,
  className,
  children,
}: {
  unit: string | null | undefined;
  className: string | undefined;
  children: ReactNode;
}) {
  const ticks = useContext(TicksContext);
  const isOut = ticks !== null && !!unit && ticks.isOut(unit);
  return (
    <div className={className} data-out={isOut || undefined}>
      {children}
      {isOut && (
        <Text as="span" self="start" ms="auto" size="xs" className={classes["alone"]}>
          stays
        </Text>
      )}
    </div>
  );
}
