/** The look of a place that takes files: a large button that opens the chooser. Its page hears the drops. */
import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./drop-zone.module.css";
import { look } from "./look";

export function DropZone({
  isActive,
  problemId,
  disabled = false,
  isLow = false,
  onClick,
  children,
}: {
  /** Whether files are held over it. */
  isActive: boolean;
  /** The id of what is wrong with the last file. */
  problemId?: string | undefined;
  disabled?: boolean;
  /** Where it is not the only thing to look at. */
  isLow?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <UnstyledButton
      className={look(
        {
          layout: "stack",
          align: "center",
          justify: "center",
          gap: 6,
          full: true,
          p: isLow ? 14 : 20,
          fill: "sunken",
          radius: "m",
          tone: "ink-2",
          textAlign: "center",
          balance: true,
          minH: isLow ? 60 : 168,
        },
        classes["zone"],
      )}
      data-active={isActive || undefined}
      data-problem={problemId === undefined ? undefined : true}
      {...(problemId === undefined ? {} : { "aria-describedby": problemId })}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </UnstyledButton>
  );
}
