/** A row of a panel: what it is about, and what can be done about it. Rows lie between hairlines. */
import type { ComponentPropsWithRef, ReactNode } from "react";
import { look } from "./look";
import { Box, Row, Text } from "./parts";
import classes from "./rows.module.css";

/** `li` in a list. */
export function PanelRow({ className, ...props }: ComponentPropsWithRef<"div"> & { as?: "div" | "li" }) {
  const name = look({}, classes["row"], className);
  return <Row align="center" justify="between" gap={8} gapX={16} className={name} {...props} />;
}

const STRONG = { layout: "row", wrap: true, align: "center", gap: 4, gapX: 8, weight: 500 } as const;

/** What the row is about: a name with a note below it, or a note alone. */
export function RowText({
  name,
  isStrong,
  isCode = false,
  title,
  children,
}: {
  name?: ReactNode;
  /** For a name that may have badges. */
  isStrong?: boolean;
  isCode?: boolean;
  title?: string | undefined;
  children: ReactNode;
}) {
  if (name === undefined) {
    return (
      <Text shrink size="s" tone="ink-2" breaks className={look({}, classes["text"], classes["note"])}>
        {children}
      </Text>
    );
  }
  return (
    <Box shrink breaks className={classes["text"]} title={title}>
      <Text mono={isCode} {...(isStrong && STRONG)}>
        {name}
      </Text>
      <Text size="s" tone="ink-2" className={classes["note"]}>
        {children}
      </Text>
    </Box>
  );
}

/** A name with its value. */
export function RowFact({ name, isCode = false, children }: { name: string; isCode?: boolean; children: ReactNode }) {
  return (
    <Box as="dl" shrink breaks className={classes["text"]}>
      <Text as="dt" size="s" tone="ink-2">
        {name}
      </Text>
      <Text as="dd" mono={isCode} space="pre-line">
        {children}
      </Text>
    </Box>
  );
}
