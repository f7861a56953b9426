/** What a place shows while it has nothing to show: loading, empty, failed. */
import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useDelayed } from "@/lib/use-delayed";
import { look } from "./look";
import { Heading, Row, Stack } from "./parts";
import classes from "./states.module.css";

/** One sentence that teaches the next step, and the one button for it. */
export function EmptyState({
  title,
  titleIs: Title = "h2",
  children,
  action,
}: {
  title?: string;
  titleIs?: "h1" | "h2";
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={14} px={24} py={48} tone="ink-2" textAlign="center" balance className={classes["state"]}>
      {title !== undefined && (
        <Heading as={Title} size="l" tone="ink">
          {title}
        </Heading>
      )}
      {children !== undefined && <p>{children}</p>}
      {action}
    </Stack>
  );
}

/** What went wrong, a button that tries again, and another way on beside it. */
export function ErrorState({
  title,
  message,
  onRetry,
  action,
}: {
  /** What is missing now, if the message does not name it. Becomes the page's heading. */
  title?: string;
  message: string;
  onRetry?: () => void;
  action?: ReactNode;
}) {
  return (
    <div
      className={look(
        {
          layout: "stack",
          align: "center",
          gap: 14,
          px: 24,
          py: 48,
          tone: "ink-2",
          textAlign: "center",
          balance: true,
        },
        classes["state"],
      )}
      role="alert"
    >
      {title !== undefined && (
        <Heading as="h1" size="l" tone="ink">
          {title}
        </Heading>
      )}
      <p>{message}</p>
      <Row wrap justify="center" gap={8} className={classes["choices"]}>
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        {action}
      </Row>
    </div>
  );
}

/** Keeps the layout while loading: grey rows after 300 ms, nothing before. `label` is read to screen readers. */
export function LoadingRows({ rows = 5, height = 44, label }: { rows?: number; height?: number; label: string }) {
  const due = useDelayed(true);
  return (
    <div className={classes["rows"]} role="status" aria-label={label} style={{ minHeight: rows * height }}>
      {due &&
        Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
          <Row align="center" px={16} lineAbove key={row} style={{ height }}>
            <Skeleton height={12} width={`${[62, 48, 70, 40, 55][row % 5]}%`} />
          </Row>
        ))}
    </div>
  );
}
