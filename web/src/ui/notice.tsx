import type { ReactNode } from "react";
import classes from "./notice.module.css";

/** A message inside the page, with an optional action beside it. Errors and successes are announced to screen readers. */
export function Notice({
  tone,
  action,
  children,
}: {
  tone: "bad" | "ok" | "warn" | "plain";
  action?: ReactNode;
  children: ReactNode;
}) {
  const role = tone === "bad" ? "alert" : tone === "ok" ? "status" : undefined;
  return (
    <div className={classes["notice"]} data-tone={tone} role={role}>
      <div className={classes["text"]}>{children}</div>
      {action}
    </div>
  );
}
