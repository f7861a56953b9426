import { type ReactNode, useEffect, useRef } from "react";
import { look } from "./look";
import classes from "./notice.module.css";
import { Box } from "./parts";

/** A message inside the page, with an optional action beside it. Errors and successes are announced to screen readers. */
export function Notice({
  tone,
  action,
  takesFocus = false,
  isUrgent = tone === "bad",
  children,
}: {
  tone: "bad" | "ok" | "warn" | "plain";
  action?: ReactNode;
  /** When it comes in the place of what had the focus, as of a form that is done: the next Tab goes on from here. */
  takesFocus?: boolean;
  /** Screen readers read it at once, as they do errors. */
  isUrgent?: boolean;
  children: ReactNode;
}) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) notice.current?.focus();
  }, [takesFocus]);
  const role = isUrgent ? "alert" : tone === "ok" ? "status" : undefined;
  return (
    <div
      className={look({
        layout: "row",
        wrap: true,
        align: "center",
        gap: 8,
        gapX: 12,
        px: 12,
        py: 10,
        radius: "m",
        size: "s",
        fill: "sunken",
        tone: "ink-2",
        toned: true,
      })}
      ref={notice}
      data-tone={tone}
      role={role}
      {...(takesFocus ? { tabIndex: -1 } : {})}
    >
      <Box breaks className={classes["text"]}>
        {children}
      </Box>
      {action}
    </div>
  );
}
