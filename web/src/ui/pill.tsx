/** A choice beside others, pressed or not: a filter with the number of what it shows, or a view. */
import { UnstyledButton } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { look } from "./look";
import { Text } from "./parts";
import classes from "./pill.module.css";

interface PillProps {
  isPressed: boolean;
  count?: number;
  onMouseDown?: (event: MouseEvent) => void;
  onClick: () => void;
  children: ReactNode;
}

export function Pill({ isPressed, count, children, ...handlers }: PillProps) {
  return (
    <UnstyledButton
      className={look(
        {
          layout: "inline",
          align: "center",
          gap: 6,
          rigid: true,
          px: 10,
          h: 28,
          hover: true,
          fill: "surface",
          border: "strong",
          size: "note",
          weight: 500,
          leading: 100,
          tone: "ink-2",
          space: "nowrap",
          smallPx: 12,
          smallH: 40,
        },
        classes["pill"],
      )}
      aria-pressed={isPressed}
      {...handlers}
    >
      {children}
      {count !== undefined && (
        <>
          {" "}
          <Text as="b" weight={600} num className={classes["count"]}>
            {count.toLocaleString("en")}
          </Text>
        </>
      )}
    </UnstyledButton>
  );
}
