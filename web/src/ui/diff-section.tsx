/** One part of a comparison: its heading folds it, and of many lines the first are drawn until the others are asked for. */
import { Button, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./diff-view.module.css";

/** Lines that are drawn at once: more than anybody reads before scrolling, and few enough for a slow phone. */
const DRAWN = 40;

/** A part that is to be looked at: a new object each time somebody asks. */
export interface Revealed {
  id: string;
}

export function DiffSection<Line>({
  id,
  label,
  title,
  count,
  isFolded,
  revealed,
  lines,
  children,
  before,
  after,
}: {
  /** Of the section, for `revealed`. */
  id: string;
  /** What screen readers call it. */
  label: string;
  title: ReactNode;
  /** How much it holds, in words. */
  count: string;
  /** Whether it begins folded. */
  isFolded: boolean;
  revealed: Revealed | null;
  lines: readonly Line[];
  /** Draws a line. */
  children: (line: Line) => ReactNode;
  before?: ReactNode;
  after?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWhole, setWhole] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (revealed?.id !== id) return;
    setOpen(true);
    toggle.current?.focus({ preventScroll: true });
    toggle.current?.scrollIntoView({ block: "start" });
  }, [revealed, id]);
  const shown = isWhole ? lines : lines.slice(0, DRAWN);
  const hidden = lines.length - shown.length;
  return (
    <section aria-label={label}>
      <h3>
        <UnstyledButton
          ref={toggle}
          className={classes["fold"]}
          aria-expanded={isOpen}
          onClick={() => setOpen((open) => !open)}
        >
          <IconChevronRight className={classes["chevron"]} size={14} stroke={2} aria-hidden="true" />
          {title}
          <span className={classes["count"]}>{count}</span>
        </UnstyledButton>
      </h3>
      {isOpen && (
        <>
          {before}
          <ul>{shown.map(children)}</ul>
          {hidden > 0 && (
            <Button className={classes["more"] ?? ""} size="xs" onClick={() => setWhole(true)}>
              Show {hidden.toLocaleString("en")} more
            </Button>
          )}
          {hidden === 0 && after}
        </>
      )}
    </section>
  );
}
