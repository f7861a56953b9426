/** The rows of a screen with many keys. Only the rows near the window are in the page. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { LARGE } from "@/ui/breakpoints";
import { look } from "@/ui/look";
import classes from "./grid.module.css";
import { GridRow } from "./grid-row";
import type { KeyRecord } from "./queries";
import { type Place, rowProps } from "./row-props";

export function FloatingRows({ rows, ...place }: { rows: readonly KeyRecord[] } & Place) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  // What is above the list may grow or go (notices): its distance from the page's top is read after each drawing.
  useLayoutEffect(() => {
    const now = list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + window.scrollY);
    if (now !== top) setTop(now);
  });
  // The current row stays in the page wherever one scrolls: the focus and a text half typed are in it.
  const indexOf = (id: string | null | undefined) => rows.findIndex((record) => record._id === id);
  const pinned = [place.state.active?.keyId, place.highlighted].map(indexOf).filter((index) => index >= 0);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isLarge ? 46 : 150),
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 110,
    scrollPaddingEnd: 100,
    getItemKey: (index) => rows[index]?._id ?? index,
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const from = Math.max(startIndex - overscan, 0);
      const to = Math.min(endIndex + overscan, rows.length - 1);
      const near = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
      return [...new Set([...near, ...pinned])].sort((a, b) => a - b);
    },
  });
  const { active, editing } = place.state;
  // Moves of the keyboard, and the next missing text that Tab opens, may lead to a row that is not drawn yet.
  const isMoved = (active?.focus || editing) && active?.keyId !== place.highlighted;
  const reached = isMoved ? indexOf(active?.keyId) : -1;
  useEffect(() => {
    if (reached >= 0) virtualizer.scrollToIndex(reached, { align: "auto" });
  }, [virtualizer, reached]);
  const marked = indexOf(place.highlighted);
  useEffect(() => {
    if (marked >= 0) virtualizer.scrollToIndex(marked, { align: "center" });
  }, [virtualizer, marked]);
  return (
    <div
      className={look({ place: "relative" }, classes["floating"])}
      ref={list}
      role="rowgroup"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map((item) => {
        const record = rows[item.index];
        return record === undefined ? null : (
          <GridRow
            key={record._id}
            {...rowProps(record, item.index, place)}
            offset={item.start - top}
            measure={virtualizer.measureElement}
          />
        );
      })}
    </div>
  );
}
