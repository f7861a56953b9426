import type { ReactNode } from "react";
import classes from "./badge.module.css";
import { Text } from "./parts";

export type BadgeTone = "ok" | "warn" | "ai" | "bad" | "plain" | "quiet";

/** A state in a word. Tones: amber (`warn`) changed, green (`ok`) new, violet (`ai`), red (`bad`) check, without a colour (`quiet`) published. */
export function Badge({ tone = "plain", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <Text
      as="span"
      px={7}
      fill="sunken"
      tone="ink-2"
      toned
      space="nowrap"
      className={classes["badge"]}
      data-tone={tone}
    >
      {children}
    </Text>
  );
}
