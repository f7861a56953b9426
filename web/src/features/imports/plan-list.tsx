/** The rows of a plan: filtered, searched, ticked one by one, in a range, or all that is shown. */
import { TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";
import { counted } from "@/lib/counted";
import { useLanguageNames } from "@/lib/languages";
import { LARGE } from "@/ui/breakpoints";
import { DataRows } from "@/ui/data-list";
import { IconSearch } from "@/ui/icons";
import { Box, Row, Text } from "@/ui/parts";
import { Pill } from "@/ui/pill";
import { EmptyState } from "@/ui/states";
import { TickBox } from "@/ui/tick-box";
import { PlanRowLine } from "./plan-row";
import { type Changes, canTick, isTicked, type TickRow, withTicks } from "./plan-ticks";
import type { Plan, RowState } from "./queries";

type Filter = RowState | "all";

const labels: Readonly<Record<Filter, string>> = {
  all: "All",
  new: "New",
  changed: "Changed",
  conflict: "Conflicts",
  invalid: "Invalid",
  same: "Same",
};
/** Below the header of the project. The shadow is the hairline above the row that is under it. */
const STICKY = {
  place: "sticky",
  style: { insetBlockStart: "var(--header-height)", zIndex: 1, boxShadow: "0 1px var(--line)" },
} as const;
const filters = Object.keys(labels) as Filter[];

export function PlanList({
  counts,
  rows,
  fileName,
  changes,
  onChanges,
}: {
  counts: Plan["counts"];
  rows: readonly TickRow[];
  fileName: (file: number) => string;
  changes: Changes;
  onChanges: (changes: Changes) => void;
}) {
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  const nameOf = useLanguageNames();
  const [filter, setFilter] = useState<Filter>("all");
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query).trim().toLowerCase();
  const shown = useMemo(() => shownOf(rows, filter, wanted), [rows, filter, wanted]);
  const { tick, onClickCapture } = useTicks(shown, changes, onChanges);
  const possible = useMemo(() => shown.filter(canTick), [shown]);
  const ticked = useMemo(() => possible.filter((row) => isTicked(row, changes)).length, [possible, changes]);
  const words = `${ticked.toLocaleString("en")} of ${possible.length.toLocaleString("en")}`;
  const state = ticked === 0 ? "off" : ticked === possible.length ? "on" : "part";
  return (
    <>
      <Row wrap align="center" gap={8} gapX={12} px={16} py={10} fill="surface" lineAbove {...(isLarge && STICKY)}>
        <Row align="center" gap={12} size="s" weight={600} num>
          <TickBox
            state={state}
            label={`All that is shown, ${words} ticked`}
            isFixed={possible.length === 0}
            onTick={(isOn) => onChanges(withTicks(changes, possible, isOn))}
          />
          <span aria-hidden="true">{words}</span>
        </Row>
        <Row as="fieldset" wrap gap={6} shrink p={0} m={0} border="none" aria-label="Show">
          {filters.map((name) =>
            name !== "all" && counts[name] === 0 ? null : (
              <Pill
                key={name}
                isPressed={filter === name}
                count={name === "all" ? rows.length : counts[name]}
                onClick={() => setFilter(name)}
              >
                {labels[name]}
              </Pill>
            ),
          )}
        </Row>
        <Box ms="auto" full={!isLarge}>
          <TextInput
            size="sm"
            type="search"
            aria-label="Find by name or text"
            placeholder="Find by name or text"
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </Box>
      </Row>
      {shown.length === 0 ? (
        <EmptyState>
          {wanted === "" ? "The files have nothing like that." : `No name or text here has “${query.trim()}” in it.`}
        </EmptyState>
      ) : (
        <div onClickCapture={onClickCapture}>
          <DataRows as="ol" label="Contents of the files" rows={shown} height={84}>
            {(row) => (
              <PlanRowLine
                row={row}
                file={fileName(row.file)}
                isOn={isTicked(row, changes)}
                isLarge={isLarge}
                nameOf={nameOf}
                onTick={tick}
              />
            )}
          </DataRows>
        </div>
      )}
      <Text spoken role="status">
        {`${counted(shown.length, "row")} shown.`}
      </Text>
    </>
  );
}

function shownOf(rows: readonly TickRow[], filter: Filter, wanted: string): readonly TickRow[] {
  const ofState = filter === "all" ? rows : rows.filter(({ state }) => state === filter);
  if (wanted === "") return ofState;
  return ofState.filter(({ name, screen, key, text, before }) =>
    [name, `${screen}.${key}`, text, before].some((part) => part.toLowerCase().includes(wanted)),
  );
}

/** A click with Shift ticks all rows from the last click on. */
function useTicks(shown: readonly TickRow[], changes: Changes, onChanges: (changes: Changes) => void) {
  const last = useRef<string | null>(null);
  const isRange = useRef(false);
  // Rows keep the same function, so that a tick draws one row.
  const now = useRef({ shown, changes, onChanges });
  useLayoutEffect(() => {
    now.current = { shown, changes, onChanges };
  });
  const tick = useCallback((row: TickRow, isOn: boolean) => {
    const { shown: rows, changes: present, onChanges: change } = now.current;
    const places = [last.current, row.ref].map((ref) => rows.findIndex((one) => one.ref === ref));
    const [from, to] = [Math.min(...places), Math.max(...places)];
    last.current = row.ref;
    change(withTicks(present, isRange.current && from >= 0 ? rows.slice(from, to + 1) : [row], isOn));
  }, []);
  return {
    tick,
    onClickCapture: (event: { shiftKey: boolean }) => {
      isRange.current = event.shiftKey;
    },
  };
}
