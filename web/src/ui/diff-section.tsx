/** One part of a comparison: its heading folds it. Of many lines the first are drawn, and the others when they are asked for. */
import { Button, UnstyledButton } from "@mantine/core";
import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Printed } from "@/lib/printing";
import type { WholeLists } from "@/lib/use-whole-lists";
import { IconChevronRight } from "@/ui/icons";
import classes from "./diff-view.module.css";
import { focusInPlace } from "./focus";
import { look } from "./look";
import { Row, Text } from "./parts";
import { TickBox } from "./tick-box";
import { TicksContext } from "./ticks";

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
  rest = 0,
  of = "",
  whole,
  idOf,
  children,
  before,
  after,
}: {
  /** The id of the section, for `revealed`. */
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
  /** How many more there are, which the server kept back, and what those are. */
  rest?: number;
  of?: string;
  /** The way to them. */
  whole?: WholeLists | undefined;
  /** Returns the id of a line, for `revealed`. */
  idOf?: (line: Line) => string;
  /** Draws a line; the revealed line is marked. */
  children: (line: Line, isMarked: boolean) => ReactNode;
  before?: ReactNode;
  after?: ReactNode;
}) {
  const isPrinted = useContext(Printed);
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWhole, setWhole] = useState(false);
  const section = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const marked = revealed?.id === id ? revealed.entry : undefined;
  const [answered, setAnswered] = useState<Revealed | null>(null);
  if (revealed !== answered) {
    setAnswered(revealed);
    if (revealed?.id === id) setOpen(true);
    // What is not among the lines is shown behind the last line.
    const place = marked === undefined ? 0 : lines.findIndex((line) => idOf?.(line) === marked);
    if (place < 0 || place >= DRAWN) setWhole(true);
  }
  useEffect(() => {
    if (revealed?.id !== id) return;
    const line = section.current?.querySelector<HTMLElement>("[data-marked]");
    focusInPlace(line ?? toggle.current);
    (line ?? toggle.current)?.scrollIntoView({ block: line ? "center" : "start" });
  }, [revealed, id]);
  // Who asked for more goes on where the list ended, though the button is gone.
  const list = useRef<HTMLUListElement>(null);
  const [ended, setEnded] = useState<number | null>(null);
  const shown = isWhole || isPrinted ? lines : lines.slice(0, DRAWN);
  useEffect(() => {
    const line = ended === null ? undefined : list.current?.children[ended];
    if (!(line instanceof HTMLElement)) return;
    line.tabIndex = -1;
    focusInPlace(line);
    setEnded(null);
  });
  const hidden = lines.length - shown.length;
  const kept = whole === undefined || whole.shown.includes(id) ? 0 : rest;
  const more = hidden + kept;
  const showMore = () => {
    setEnded(shown.length);
    setWhole(true);
    if (kept > 0) whole?.ask(id);
  };
  return (
    <section ref={section} aria-label={label}>
      <Row as="h3" align="center" gap={10} size="s" lineBelow>
        <SectionBox id={id} label={label} />
        <UnstyledButton
          ref={toggle}
          className={look(
            {
              layout: "row",
              wrap: true,
              align: "center",
              gap: 2,
              gapX: 8,
              full: true,
              touch: true,
              radius: "s",
              textAlign: "start",
              breaks: true,
              size: "inherit",
              weight: 600,
              pt: 5,
              pb: 7,
            },
            classes["fold"],
          )}
          aria-expanded={isOpen}
          onClick={() => setOpen((open) => !open)}
        >
          <IconChevronRight
            className={look({ rigid: true }, classes["chevron"])}
            size={14}
            stroke={2}
            aria-hidden="true"
          />
          {title}
          <SectionCount id={id} count={count} />
        </UnstyledButton>
      </Row>
      {(isOpen || isPrinted) && (
        <>
          {before}
          <ul ref={list}>{shown.map((line) => children(line, marked !== undefined && idOf?.(line) === marked))}</ul>
          {more > 0 && (
            <Button
              className={look({ mt: 10 }, classes["more"])}
              size="xs"
              loading={whole?.asking === id}
              disabled={(whole?.asking ?? id) !== id}
              onClick={showMore}
            >
              Show {more.toLocaleString("en")} more
            </Button>
          )}
          {whole?.failure?.section === id && (
            <p className={look({ pt: 8, size: "s", tone: "bad" })} role="alert">
              {whole.failure.text}
            </p>
          )}
          {hidden === 0 && (
            <>
              {rest > 0 && whole === undefined && (
                <Text pt={8} size="s" tone="ink-3">
                  and {rest.toLocaleString("en")} more {of}
                </Text>
              )}
              {after}
            </>
          )}
        </>
      )}
    </section>
  );
}

/** Ticks all changes of a part. */
function SectionBox({ id, label }: { id: string; label: string }) {
  const ticks = useContext(TicksContext);
  const section = ticks?.sectionOf(id);
  if (ticks === null || section === undefined) return null;
  return (
    <TickBox state={section.state} label={`All changes of ${label}`} onTick={(isOn) => ticks.tickSection(id, isOn)} />
  );
}

/** How much a part holds; with some of it left out '2 of 3 keys'. */
function SectionCount({ id, count }: { id: string; count: string }) {
  const section = useContext(TicksContext)?.sectionOf(id);
  const picked =
    section === undefined || section.picked === section.total ? "" : `${section.picked.toLocaleString("en")} of `;
  return (
    <Text as="span" ms="auto" size="xs" weight={500} tone="ink-3" num>
      {picked}
      {count}
    </Text>
  );
}
