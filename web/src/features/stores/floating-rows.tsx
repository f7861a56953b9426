/** Rows below a head that stays. A short list is drawn whole; of a long list, only the rows in view are drawn. */
// biome-ignore-all lint/a11y/useSemanticElements: as in the table that these are the rows of.
import { useVirtualizer, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import classes from "./item-table.module.css";
import type { Item } from "./queries";

/** Above this many rows only those near what is seen are in the page. */
const ALL_DRAWN = 60;

interface Rows {
  rows: readonly Item[];
  head: ReactNode;
  /** Draws a row. */
  children: (item: Item, index: number) => ReactNode;
}

export function FloatingRows({ isLarge, ...rows }: Rows & { isLarge: boolean }) {
  if (rows.rows.length <= ALL_DRAWN) {
    return (
      <div className={classes["scroll"]}>
        {rows.head}
        <div role="rowgroup">
          {rows.rows.map((item, index) => (
            <div key={item._id}>{rows.children(item, index)}</div>
          ))}
        </div>
      </div>
    );
  }
  // Stacked rows scroll with the page: a list that scrolls by itself is a trap for a thumb.
  return isLarge ? <InFrame {...rows} /> : <InWindow {...rows} />;
}

function InFrame({ rows, head, children }: Rows) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 44,
    overscan: 12,
    getItemKey: (index) => rows[index]?._id ?? index,
  });
  return (
    <div ref={frame} className={classes["scroll"]} data-tall>
      {head}
      <div
        className={look({ place: "relative" }, classes["floating"])}
        role="rowgroup"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = rows[index];
          return item === undefined ? null : (
            <Box
              place="absolute"
              key={item._id}
              ref={virtualizer.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(item, index)}
            </Box>
          );
        })}
      </div>
    </div>
  );
}

function InWindow({ rows, children }: Rows) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // What is above the list may grow or go: its distance from the page's top is read after each drawing.
  useLayoutEffect(() => {
    const now = list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + window.scrollY);
    if (now !== top) setTop(now);
  });
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 190,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?._id ?? index,
  });
  return (
    <div
      className={look({ place: "relative" }, classes["floating"])}
      ref={list}
      role="rowgroup"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const item = rows[index];
        return item === undefined ? null : (
          <Box
            place="absolute"
            key={item._id}
            ref={virtualizer.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {children(item, index)}
          </Box>
        );
      })}
    </div>
  );
}
