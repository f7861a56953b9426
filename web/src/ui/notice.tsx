import { type ReactNode, useEffect, useRef } from "react";
import classes from "./notice.module.css";

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
  /** Screen readers say it at once, as they do errors. */
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
      ref={notice}
      className={classes["notice"]}
      data-tone={tone}
      role={role}
      {...(takesFocus ? { tabIndex: -1 } : {})}
    >
      <div className={classes["text"]}>{children}</div>
      {action}
    </div>
  );
}
