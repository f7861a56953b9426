/** The rows of tables and lists. A short list is drawn whole; of a long list, only the rows near the window are in the page. */
import { useVirtualizer, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import classes from "./data-list.module.css";
import { ALL_DRAWN, Box } from "./parts";

interface Identified {
  _id: string;
}

type Draw<T, Place extends unknown[] = []> = (row: T, index: number, ...place: Place) => ReactNode;

/** Where a floating row is, in px below the top of its list, and how its height becomes known. */
type FloatingPlace = [offset: number, measure: (element: HTMLElement | null) => void];

interface List<T, Place extends unknown[] = []> {
  rows: readonly T[];
  /** The rows of a table, or a list by itself. */
  as?: "div" | "ol";
  label?: string;
  className?: string | undefined;
  children: Draw<T, Place>;
}

type Rows<T> = List<T> & {
  /** The estimated height of a row, in px. */
  height: number;
  /** Whether a long list scrolls in the element around it, and not with the page. */
  isFramed?: boolean;
};

export function DataRows<T extends Identified>({ height, isFramed, ...list }: Rows<T>) {
  const { rows, as: List = "div", label, className, children } = list;
  if (rows.length > ALL_DRAWN) {
    return isFramed ? <InFrame height={height} {...list} /> : <InWindow height={height} {...list} />;
  }
  const Item = List === "ol" ? "li" : "div";
  return (
    <List className={className} role={List === "div" ? "rowgroup" : undefined} aria-label={label}>
      {rows.map((row, index) => (
        <Item key={row._id}>{children(row, index)}</Item>
      ))}
    </List>
  );
}

const optionsOf = (rows: readonly Identified[], height: number) => ({
  count: rows.length,
  estimateSize: () => height,
  // About a window more at each end.
  overscan: height > 100 ? 6 : 12,
  getItemKey: (index: number) => rows[index]?._id ?? index,
});

function InFrame<T extends Identified>({ height, ...list }: Rows<T>) {
  const element = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    ...optionsOf(list.rows, height),
    getScrollElement: () => element.current?.parentElement ?? null,
  });
  return (
    <FloatingRows {...list} element={element} top={0} virtualizer={virtualizer}>
      {floatingItem(list)}
    </FloatingRows>
  );
}

function InWindow<T extends Identified>({ height, ...list }: Rows<T>) {
  return (
    <FloatingRows {...list} {...useWindowRows(list.rows, height)}>
      {floatingItem(list)}
    </FloatingRows>
  );
}

function floatingItem<T extends Identified>({ as, children }: List<T>): Draw<T, FloatingPlace> {
  const Item = as === "ol" ? "li" : "div";
  return (row, index, offset, measure) => (
    <Item
      key={row._id}
      ref={measure}
      data-index={index}
      style={{ transform: `translateY(${offset}px)` }}
      {...(as === "ol" && { "aria-setsize": -1, "aria-posinset": index + 1 })}
    >
      {children(row, index)}
    </Item>
  );
}

type WindowOptions = Omit<Parameters<typeof useWindowVirtualizer<HTMLElement>>[0], keyof ReturnType<typeof optionsOf>>;

/** Floats rows of about `height` px in the window. */
export function useWindowRows(rows: readonly Identified[], height: number, options: Partial<WindowOptions> = {}) {
  const element = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // What is above the list may grow or go: its distance from the page's top is read after each drawing.
  useLayoutEffect(() => {
    const now = element.current === null ? 0 : Math.round(element.current.getBoundingClientRect().top + window.scrollY);
    if (now !== top) setTop(now);
  });
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    ...optionsOf(rows, height),
    scrollMargin: top,
    ...options,
  });
  return { element, top, virtualizer };
}

interface Floating {
  element: RefObject<HTMLDivElement | null>;
  /** The distance of the list from the start of what scrolls, in px. */
  top: number;
  virtualizer: {
    getTotalSize: () => number;
    getVirtualItems: () => VirtualItem[];
    measureElement: (element: HTMLElement | null) => void;
  };
}

/** Draws the rows near the window. `children` puts each at its offset, and names its index as `data-index`. */
export function FloatingRows<T>({
  rows,
  as = "div",
  label,
  className = "",
  element,
  top,
  virtualizer,
  children,
}: List<T, FloatingPlace> & Floating) {
  return (
    <Box
      as={as}
      ref={element}
      place="relative"
      className={`${classes["rows"]} ${className}`}
      role={as === "div" ? "rowgroup" : undefined}
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        return row === undefined ? null : children(row, index, start - top, virtualizer.measureElement);
      })}
    </Box>
  );
}
