/** Where toasts begin: at the right of the window, below the tools that they would cover. */
import { useLayoutEffect, useState } from "react";
import { useToasterStore } from "react-hot-toast";

/** Below the header of a page. */
const FIRST_PX = 68;
/** Toasts never begin lower than this: they stay at the window's upper right corner. */
const LOWEST_PX = 240;
const GAP_PX = 8;
/** The largest width of a toast, with its distance from the edge. */
const WIDTH_PX = 396;
/** A toast with two lines, and the distance to the next toast. */
const HEIGHT_PX = 60;

export type Box = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

/**
 * Returns where `count` toasts cover no tool, in px from the top of the window: the highest such place.
 * Where they cover a tool at every place down to 240 px, it returns the lowest place that it tried.
 */
export function topBelow(tools: readonly Box[], count: number, windowWidth: number): number {
  const inTheWay = tools
    .filter(({ left, right, bottom }) => right > left && bottom > 0 && right > windowWidth - WIDTH_PX)
    .sort((a, b) => a.top - b.top);
  let top = FIRST_PX;
  for (const tool of inTheWay) {
    const isCovered = tool.top < top + count * HEIGHT_PX && tool.bottom > top - GAP_PX;
    if (isCovered && tool.bottom + GAP_PX <= LOWEST_PX) top = Math.max(top, tool.bottom + GAP_PX);
  }
  return Math.round(top);
}

/** The controls of the page, except those in the rows of a table, which are everywhere. */
function toolBoxes(): Box[] {
  const controls = document.querySelectorAll(
    "header, main button, main a, main input, main select, [role=columnheader]",
  );
  return [...controls].filter((control) => control.closest("[role=cell], [role=gridcell]") === null).map(boxOf);
}

const boxOf = (element: Element): Box => element.getBoundingClientRect();

/** The place of the toasts in px from the window's top, while there are some. It follows the tools when the page is scrolled. */
export function useToastsTop(): number {
  const { toasts } = useToasterStore();
  const count = toasts.filter(({ visible }) => visible).length;
  const [top, setTop] = useState(FIRST_PX);
  useLayoutEffect(() => {
    if (count === 0) return;
    const place = () => setTop(topBelow(toolBoxes(), count, window.innerWidth));
    place();
    window.addEventListener("scroll", place, { passive: true });
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("scroll", place);
      window.removeEventListener("resize", place);
    };
  }, [count]);
  return top;
}
