/** Where toasts begin: at the right of the window, where they cover no tools. */
import { useLayoutEffect, useState } from "react";
import { useToasterStore } from "react-hot-toast";

/** Below the header of a page. */
const FIRST_PX = 68;
/** Toasts that find no room down to this place, at the window's upper right corner, go to the lower right corner. */
const LOWEST_PX = 240;
const GAP_PX = 8;
/** The largest width of a toast, with its distance from the edge. */
const WIDTH_PX = 396;
/** A toast with two lines, and the distance to the next toast. */
const HEIGHT_PX = 60;

export type Box = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

/**
 * Returns where `count` toasts cover no tool, in px from the top of the window. It is the highest such place down to
 * 240 px, else the lowest such place in the window. Where they cover a tool everywhere, it returns the lowest place
 * that it tried down to 240 px.
 */
export function topBelow(
  tools: readonly Box[],
  count: number,
  { innerWidth, innerHeight }: Pick<Window, "innerWidth" | "innerHeight">,
): number {
  const inTheWay = tools
    .filter(({ left, right, bottom }) => right > left && bottom > 0 && right > innerWidth - WIDTH_PX)
    .sort((a, b) => a.top - b.top);
  const height = count * HEIGHT_PX;
  const covered = (top: number) => inTheWay.find((tool) => tool.top < top + height && tool.bottom > top - GAP_PX);
  let top = FIRST_PX;
  for (const tool of inTheWay) {
    if (covered(top) === undefined) break;
    if (tool.bottom + GAP_PX <= LOWEST_PX) top = Math.max(top, tool.bottom + GAP_PX);
  }
  if (covered(top) === undefined) return Math.round(top);
  let low = innerHeight - height;
  for (let tool = covered(low); tool !== undefined; tool = covered(low)) low = tool.top - height - GAP_PX;
  return Math.round(low > LOWEST_PX ? low : top);
}

/** The controls of the page and of an open dialog, without the controls in table rows: a toast can't avoid them. */
function toolBoxes(): Box[] {
  const controls = document.querySelectorAll(
    ":is(main, [aria-modal=true]) :is(button, a, input, textarea, select), header, [role=columnheader]",
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
    const place = () => setTop(topBelow(toolBoxes(), count, window));
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
