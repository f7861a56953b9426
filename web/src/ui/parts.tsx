/**
 * The parts that layout and text are made of: elements that say in props what a style sheet would say (look.ts). `as` names another element.
 * The other props are the element's own.
 */
import { type ComponentPropsWithRef, createElement, type ElementType, type ReactNode } from "react";
import { isWord, type Look, look } from "./look";

type PartProps<T extends ElementType> = Look & { as?: T; className?: string | undefined } & Omit<
    ComponentPropsWithRef<T>,
    keyof Look | "as" | "className"
  >;

const part =
  <D extends ElementType>(element: D, layout?: Look["layout"]) =>
  <T extends ElementType = D>({ as, className, ...props }: PartProps<T>): ReactNode => {
    const words: Record<string, unknown> = { layout };
    const own: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(props)) (isWord(name) ? words : own)[name] = value;
    return createElement((as ?? element) as ElementType, {
      ...own,
      className: look(words as Look, className) || undefined,
    });
  };

export const Box = part("div");
/** Beside each other. */
export const Row = part("div", "row");
/** Below each other. */
export const Stack = part("div", "stack");
export const Grid = part("div", "grid");
export const Text = part("p");
export const Heading = part("h2");
