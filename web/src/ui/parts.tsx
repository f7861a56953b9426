/**
 * The parts that layout and text are made of: elements with props in place of a style sheet (look.ts). `as` names another element. The other
 * props are the element's own.
 */
import { type ComponentPropsWithRef, createElement, type ElementType, type ReactNode } from "react";
import { isWord, type Look, look } from "./look";

type PartProps<T extends ElementType> = Look & { as?: T; className?: string | undefined } & Omit<
    ComponentPropsWithRef<T>,
    keyof Look | "as" | "className"
  >;

const part =
  <D extends ElementType>(element: D, defaults?: Look & { role?: string }) =>
  <T extends ElementType = D>({ as, className, ...props }: PartProps<T>): ReactNode => {
    const words: Record<string, unknown> = {};
    const own: Record<string, unknown> = {};
    for (const [name, value] of Object.entries({ ...defaults, ...props })) (isWord(name) ? words : own)[name] = value;
    return createElement((as ?? element) as ElementType, {
      ...own,
      className: look(words as Look, className) || undefined,
    });
  };

export const Box = part("div");
/** Beside each other. */
export const Row = part("div", { layout: "row" });
/** Below each other. */
export const Stack = part("div", { layout: "stack" });
export const Grid = part("div", { layout: "grid" });
export const Text = part("p");
export const Heading = part("h2");

/** The head of a list of rows: it names the columns, and may stick. A table has it as a row, of `HeadCell`s. */
export const HeadRow = part("div", {
  layout: "grid",
  place: "sticky",
  fill: "sunken",
  lineBelow: true,
  size: "xs",
  weight: 600,
  leading: 140,
  tone: "ink-2",
  hide: "small",
});
export const HeadCell = part("div", {
  layout: "row",
  align: "center",
  gap: 8,
  shrink: true,
  py: 4,
  minH: 40,
  role: "columnheader",
});
/** A list with more rows has only those near the window in the page: see data-list.tsx. */
export const ALL_DRAWN = 60;
