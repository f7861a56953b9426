/** A round button in a project's header. It reports what is under way, and opens the details. */
import { UnstyledButton, type UnstyledButtonProps } from "@mantine/core";
import type { ComponentPropsWithRef, ReactNode } from "react";
import classes from "./header-chip.module.css";
import { look } from "./look";
import { Box, Text } from "./parts";

interface HeaderChipProps
  extends UnstyledButtonProps,
    Omit<ComponentPropsWithRef<"button">, keyof UnstyledButtonProps> {
  tone: "ai" | "warn" | "bad" | "ok";
  /** The word of `use-fit.ts` for this chip. */
  part: "job" | "due";
  icon: ReactNode;
  /** The text that stays when the header is tight. Without it only the icon stays. */
  short?: string;
  /** The words before and after `short`. A tight header hides them. */
  before?: ReactNode;
  after?: ReactNode;
}

export function HeaderChip({ tone, part, icon, short, before, after, className, ...button }: HeaderChipProps) {
  return (
    <UnstyledButton
      {...button}
      // A tooltip or a popover adds a class of its own.
      className={look(
        {
          layout: "inline",
          align: "center",
          justify: "center",
          gap: 6,
          rigid: true,
          place: "relative",
          h: 28,
          size: "note",
          weight: 500,
          leading: 100,
          space: "nowrap",
          num: true,
          toned: true,
        },
        classes["chip"],
        className,
      )}
      data-tone={tone}
      data-part={part}
    >
      {icon}
      {/* The spaces are for screen readers: the words seen are the words of the name. */}
      {before !== undefined && (
        <Box as="span" layout="inline" align="center" gap={6} className={classes["rest"]}>
          {before}
        </Box>
      )}{" "}
      {short !== undefined && (
        <Text as="span" textAlign="end" className={classes["short"]}>
          {short}
        </Text>
      )}{" "}
      {after !== undefined && (
        <Box as="span" layout="inline" align="center" gap={6} className={classes["rest"]}>
          {after}
        </Box>
      )}
    </UnstyledButton>
  );
}
