/** Above the grid: which keys to show, the search in this screen, and adding a language. */
import { TextInput } from "@mantine/core";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { isAlone, useShortcut } from "@/lib/keyboard";
import { look } from "@/ui/look";
import { Row } from "@/ui/parts";
import { Pill } from "@/ui/pill";
import { type Columns, countsOf, type Filter, type NeedsCheck } from "./filters";
import classes from "./grid-toolbar.module.css";
import type { KeyRecord } from "./queries";
import { useEdits, useOutbox } from "./use-outbox";

const labels: Record<Filter, string> = {
  all: "All",
  missing: "Missing",
  changed: "Changed",
  ai: "Written by AI",
  outdated: "Outdated",
  check: "Check",
};

const SETTLED_MS = 400;

/** On a cell the letter is typed, and the browser's own search would find the keys in sight only. */
function isAsked(event: KeyboardEvent): boolean {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const isOnCell = target instanceof Element && target.matches('[role="gridcell"][aria-readonly="false"]');
  return isOnCell ? key === "f" && (ctrlKey || metaKey) && !altKey : isAlone(event, "f");
}

/** True some time after the texts are shown: looking at thousands of them for what is wrong must not keep the first from being seen. */
function useIsSettled(columns: Columns): boolean {
  const [settled, setSettled] = useState<Columns | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(columns), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [columns]);
  return settled === columns;
}

export function GridToolbar({
  records,
  columns,
  needsCheck,
  filter,
  onFilter,
  query,
  onQuery,
  onLeaveSearch,
  children,
}: {
  records: readonly KeyRecord[];
  columns: Columns;
  needsCheck: NeedsCheck;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  query: string;
  onQuery: (query: string) => void;
  /** Escape in an empty search: back to the grid. */
  onLeaveSearch: () => void;
  children: ReactNode;
}) {
  const outbox = useOutbox();
  const isSettled = useIsSettled(columns);
  useEdits();
  const search = useRef<HTMLInputElement>(null);
  const find = useCallback(() => {
    search.current?.focus();
    search.current?.select();
  }, []);
  useShortcut(isAsked, find);

  const counts = countsOf(
    records,
    columns,
    (record, language) => outbox.textOf(record, language),
    isSettled || filter === "check" ? needsCheck : () => false,
  );
  // What only translations have is shown where there is some.
  const rare = (["ai", "outdated", "check"] as const).filter((name) => counts[name] > 0 || filter === name);
  const shown: Filter[] = ["all", "missing", "changed", ...rare];
  return (
    <Row wrap align="center" gap={8} py={14} smallGap={4} smallPt={4} smallPb={6}>
      <Row
        as="fieldset"
        wrap
        gap={8}
        shrink
        p={0}
        m={0}
        border="none"
        smallGap={6}
        className={classes["filters"]}
        aria-label="Show"
      >
        {shown.map((name) => (
          <Pill
            key={name}
            isPressed={filter === name}
            count={counts[name]}
            // A text that is being written keeps the focus, and is not saved.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onFilter(name)}
          >
            {labels[name]}
          </Pill>
        ))}
      </Row>
      <Row justify="end" gap={8} smallGap={6} className={classes["right"]}>
        <TextInput
          ref={search}
          size="sm"
          type="search"
          className={classes["search"]}
          aria-label="Filter this screen"
          aria-keyshortcuts="f Control+F"
          placeholder="Filter this screen"
          value={query}
          rightSection={query === "" ? <kbd className={look({ tone: "ink-3", hide: "small" })}>f</kbd> : null}
          rightSectionPointerEvents="none"
          onChange={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (query === "") onLeaveSearch();
            else onQuery("");
          }}
        />
        {children}
      </Row>
    </Row>
  );
}
