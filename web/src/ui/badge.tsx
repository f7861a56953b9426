import type { ReactNode } from "react";
import classes from "./badge.module.css";

export type BadgeTone = "ok" | "warn" | "ai" | "bad" | "plain" | "quiet";

/** A state in a word. Tones: amber (`warn`) changed, green (`ok`) new, violet (`ai`), red (`bad`) check, without a colour (`quiet`) published. */
export function Badge({ tone = "plain", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span className={classes["badge"]} data-tone={tone}>
      {children}
    </span>
  );
}
