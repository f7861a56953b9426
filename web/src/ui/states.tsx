/** What a place shows while it has nothing to show: loading, empty, failed. */
import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useDelayed } from "@/lib/use-delayed";
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
    <div className={classes["state"]}>
      {title !== undefined && <Title>{title}</Title>}
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** What went wrong, a button that tries again, and another way on beside it. */
export function ErrorState({
  title,
  message,
  onRetry,
  action,
}: {
  /** What is missing now, where the message alone does not say it. Becomes the page's heading. */
  title?: string;
  message: string;
  onRetry?: () => void;
  action?: ReactNode;
}) {
  return (
    <div className={classes["state"]} role="alert">
      {title !== undefined && <h1>{title}</h1>}
      <p>{message}</p>
      <div className={classes["choices"]}>
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        {action}
      </div>
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
          <div key={row} style={{ height }}>
            <Skeleton height={12} width={`${[62, 48, 70, 40, 55][row % 5]}%`} />
          </div>
        ))}
    </div>
  );
}
