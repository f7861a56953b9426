/** A round button in a project's header. It reports what is under way, and opens the details. */
import { UnstyledButton, type UnstyledButtonProps } from "@mantine/core";
import type { ComponentPropsWithRef, ReactNode } from "react";
import classes from "./header-chip.module.css";

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
      className={`${classes["chip"]} ${className ?? ""}`}
      data-tone={tone}
      data-part={part}
    >
      {icon}
      {/* The spaces are for screen readers: the words seen are the words of the name. */}
      {before !== undefined && <span className={classes["rest"]}>{before}</span>}{" "}
      {short !== undefined && <span className={classes["short"]}>{short}</span>}{" "}
      {after !== undefined && <span className={classes["rest"]}>{after}</span>}
    </UnstyledButton>
  );
}
