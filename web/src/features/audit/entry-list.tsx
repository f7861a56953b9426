/** The entries, newest first. A short list is drawn whole; of a long list, only the entries in view are drawn. */
import { Button } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Box, Grid } from "@/ui/parts";
import classes from "./audit.module.css";
import { EntryRow } from "./entry-row";
import type { Entry } from "./queries";

/** Above this many entries only those near what is seen are in the page. */
const ALL_DRAWN = 60;

interface Rows {
  entries: readonly Entry[];
  label: string;
  children: (entry: Entry) => ReactNode;
}

export function EntryList({ entries, label, more }: { entries: readonly Entry[]; label: string; more: ReactNode }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const draw = (entry: Entry) => (
    <EntryRow entry={entry} isOpen={open.has(entry._id)} onToggle={() => toggle(entry._id)} />
  );
  const List = entries.length <= ALL_DRAWN ? Whole : Floating;
  return (
    <Box mt={4} surface className={classes["list"]}>
      {/* Each entry is read as a line; the heads of the columns are for the eye. */}
      <Grid
        align="baseline"
        px={16}
        py={9}
        size="xs"
        weight={500}
        tone="ink-3"
        hide="small"
        gap={4}
        gapX={14}
        className={classes["head"]}
        aria-hidden="true"
      >
        <span>Time</span>
        <span>Who</span>
        <span>Address</span>
        <span>What</span>
      </Grid>
      <List entries={entries} label={label}>
        {draw}
      </List>
      {more}
    </Box>
  );
}

function Whole({ entries, label, children }: Rows) {
  return (
    <ol aria-label={label}>
      {entries.map((entry) => (
        <li key={entry._id}>{children(entry)}</li>
      ))}
    </ol>
  );
}

function Floating({ entries, label, children }: Rows) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  // What is above the list may grow or go: its distance from the page's top is read after each drawing.
  useLayoutEffect(() => {
    const now = list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + window.scrollY);
    if (now !== top) setTop(now);
  });
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => 46,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?._id ?? index,
  });
  return (
    <Box
      as="ol"
      ref={list}
      aria-label={label}
      place="relative"
      className={classes["floating"]}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const entry = entries[index];
        return entry === undefined ? null : (
          <Box
            as="li"
            place="absolute"
            key={entry._id}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={-1}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {children(entry)}
          </Box>
        );
      })}
    </Box>
  );
}

/** At the end of the list: the way to older entries. */
export function More({
  query,
  failure,
}: {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  failure: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <Box px={16} py={12} lineAbove noPrint smallPx={0} smallPy={4} className={classes["more"]}>
      <Button size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchNextPageError ? `${failure} Try again` : "Show older entries"}
      </Button>
    </Box>
  );
}
