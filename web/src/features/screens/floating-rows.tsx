/** The rows of a screen with many keys. Only the rows near the window are in the page. */
import { useMediaQuery } from "@mantine/hooks";
import { defaultRangeExtractor } from "@tanstack/react-virtual";
import { useEffect } from "react";
import { LARGE } from "@/ui/breakpoints";
import { FloatingRows as Floating, useWindowRows } from "@/ui/data-list";
import classes from "./grid.module.css";
import { GridRow } from "./grid-row";
import type { KeyRecord } from "./queries";
import { type Place, rowProps } from "./row-props";

export function FloatingRows({ rows, ...place }: { rows: readonly KeyRecord[] } & Place) {
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  // The current row stays in the page wherever one scrolls: the focus and a text half typed are in it.
  const indexOf = (id: string | null | undefined) => rows.findIndex((record) => record._id === id);
  const pinned = [place.state.active?.keyId, place.highlighted].map(indexOf).filter((index) => index >= 0);
  const floating = useWindowRows(rows, isLarge ? 46 : 150, {
    scrollPaddingStart: 110,
    scrollPaddingEnd: 100,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), ...pinned])].sort((a, b) => a - b),
  });
  const { virtualizer } = floating;
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
    <Floating rows={rows} className={classes["floating"]} {...floating}>
      {(record, index, offset, measure) => (
        <GridRow key={record._id} {...rowProps(record, index, place)} offset={offset} measure={measure} />
      )}
    </Floating>
  );
}
