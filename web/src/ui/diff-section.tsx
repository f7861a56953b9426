/** One part of a comparison: its heading folds it, and of many lines the first are drawn until the others are asked for. */
import { Button, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./diff-view.module.css";

/** Lines that are drawn at once: more than anybody reads before scrolling, and few enough for a slow phone. */
const DRAWN = 40;

/** A part that is to be looked at, or one entry in it: a new object each time somebody asks. */
export interface Revealed {
  id: string;
  entry?: string;
}

/** The line that somebody asked for: it can take the focus. */
export const markOf = (isMarked: boolean) => (isMarked ? ({ "data-marked": true, tabIndex: -1 } as const) : {});

export function DiffSection<Line>({
  id,
  label,
  title,
  count,
  isFolded,
  revealed,
  lines,
  idOf,
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
  /** Of a line, for `revealed`. */
  idOf?: (line: Line) => string;
  /** Draws a line; the one that is to be looked at is marked. */
  children: (line: Line, isMarked: boolean) => ReactNode;
  before?: ReactNode;
  after?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWhole, setWhole] = useState(false);
  const section = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const marked = revealed?.id === id ? revealed.entry : undefined;
  const [answered, setAnswered] = useState<Revealed | null>(null);
  if (revealed !== answered) {
    setAnswered(revealed);
    if (revealed?.id === id) setOpen(true);
    // What is not among the lines stands behind the last one.
    const place = marked === undefined ? 0 : lines.findIndex((line) => idOf?.(line) === marked);
    if (place < 0 || place >= DRAWN) setWhole(true);
  }
  useEffect(() => {
    if (revealed?.id !== id) return;
    const line = section.current?.querySelector<HTMLElement>("[data-marked]");
    (line ?? toggle.current)?.focus({ preventScroll: true });
    (line ?? toggle.current)?.scrollIntoView({ block: line ? "center" : "start" });
  }, [revealed, id]);
  const shown = isWhole ? lines : lines.slice(0, DRAWN);
  const hidden = lines.length - shown.length;
  return (
    <section ref={section} aria-label={label}>
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
          <ul>{shown.map((line) => children(line, marked !== undefined && idOf?.(line) === marked))}</ul>
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
