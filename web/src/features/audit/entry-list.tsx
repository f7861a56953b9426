/** The entries, newest first. A short list is drawn whole; of a long list, only the entries in view are drawn. */
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DataRows } from "@/ui/data-list";
import { Box, HeadRow } from "@/ui/parts";
import classes from "./audit.module.css";
import { EntryRow } from "./entry-row";
import type { Entry } from "./queries";

export function EntryList({ entries, label, more }: { entries: readonly Entry[]; label: string; more: ReactNode }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <Box mt={4} surface className={classes["list"]}>
      {/* Each entry is read as a line. */}
      <HeadRow
        fill="none"
        lineBelow={false}
        weight={500}
        tone="ink-3"
        align="baseline"
        px={16}
        py={9}
        gap={4}
        gapX={14}
        className={classes["head"]}
        aria-hidden="true"
      >
        <span>Time</span>
        <span>Who</span>
        <span>Address</span>
        <span>What</span>
      </HeadRow>
      <DataRows as="ol" rows={entries} label={label} height={46}>
        {(entry) => <EntryRow entry={entry} isOpen={open.has(entry._id)} onToggle={() => toggle(entry._id)} />}
      </DataRows>
      {more}
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
