import { useId } from "react";
import { look } from "@/ui/look";
import { Box, Grid, Row, Text } from "@/ui/parts";
import classes from "./usage-section.module.css";

const NEAR_PERCENT = 80;
const FAR_OVER_PERCENT = 150;

/** What is used of a limit: a bar that ends at 100 %, the numbers, and words where it gets tight. -1 is no limit. */
export function UsageMeter({
  label,
  period,
  used,
  limit,
  format,
  whenOver,
  whenFarOver = whenOver,
}: {
  label: string;
  /** What the numbers are counted over; nothing where they are as of now. */
  period?: string;
  used: number;
  limit: number;
  format: (amount: number) => string;
  /** What happens at the limit. */
  whenOver: string;
  /** What happens half over it. */
  whenFarOver?: string;
}) {
  const id = useId();
  const percent = percentOf(used, limit);
  const level = limit === -1 || percent < NEAR_PERCENT ? "fine" : percent < 100 ? "near" : "over";
  const ink = level === "fine" ? undefined : level === "near" ? "warn" : "bad";
  const share = percent > 0 && percent < 1 ? "<1%" : `${Math.floor(percent)}%`;
  const allowed = limit === -1 ? "Unlimited" : format(limit);
  return (
    <div>
      <Row wrap align="baseline" justify="between" gap={0} gapX={16} mb={6}>
        <Text as="span" weight={500} id={id}>
          {label}{" "}
          {period !== undefined && (
            <Text as="span" weight={400} tone="ink-2">
              {period}
            </Text>
          )}
        </Text>
        <Grid as="span" gap={6} size="s" textAlign="end" num maxW={340} className={classes["figures"]}>
          <span>{format(used)}</span>
          <span>{limit === -1 ? `· ${allowed}` : `/ ${allowed}`}</span>
          <span>{limit === -1 ? "" : share}</span>
        </Grid>
      </Row>
      {limit !== -1 && (
        // biome-ignore lint/a11y/useSemanticElements: each browser draws the element in its own way, and never in our colours.
        <div
          className={look({ fill: "line", clip: true, h: 6 }, classes["bar"])}
          role="meter"
          data-level={level}
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.min(100, Math.floor(percent))}
          aria-valuetext={`${format(used)} of ${allowed}, ${share}`}
        >
          <Box as="i" layout="block" fill={ink ?? "ink-3"} style={{ width: `${Math.min(100, percent)}%` }} />
        </div>
      )}
      {level !== "fine" && (
        <Text mt={6} size="s" tone="ink-2" data-level={level}>
          <Text as="b" weight={600} tone={ink}>
            {level === "near" ? "Near the limit." : percent > 100 ? "Over the limit." : "At the limit."}
          </Text>{" "}
          {level === "near" ? "" : percent >= FAR_OVER_PERCENT ? whenFarOver : whenOver}
        </Text>
      )}
    </div>
  );
}

/** Returns the share of the limit in percent. If the limit is 0, no use is 0 % and any use is 100 %. */
function percentOf(used: number, limit: number): number {
  if (limit > 0) return (used / limit) * 100;
  return used > 0 && limit === 0 ? 100 : 0;
}
