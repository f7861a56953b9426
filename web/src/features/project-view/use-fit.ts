/** Keeps the project's header in one line: shortens its parts in turn until its title has room. */
import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * What a tight header shortens, in this order. The header has the words of the shortened parts in `data-tight`, and the CSS of each part
 * reads its own word there.
 */
export const STEPS = [
  /** The search field becomes an icon. */
  "search",
  /** 'Schedule Publish' becomes an icon. */
  "schedule",
  /** The chip of AI jobs loses its words. */
  "job",
  /** The chip of the scheduled publish becomes an icon. */
  "due",
  /** 'Preview draft' goes into the menu. */
  "preview",
  /** The circles of colleagues overlap. */
  "people",
  /** 'Publish Changes' becomes 'Publish'. */
  "publish",
  /** The search goes into the menu. */
  "find",
  /** 'Schedule Publish' goes into the menu. */
  "calendar",
] as const;

export type Step = (typeof STEPS)[number];

/** The title has room if its section is whole, up to this width in px. */
const SECTION_PX = 260;
/** The title has room if the project's name is whole, up to this width in px. */
const PROJECT_PX = 140;
/** Whether the text of an element is seen up to this width. The browser cuts a text that lacks a tenth of a pixel. */
function isWhole(element: Element | null, upTo: number): boolean {
  if (element === null) return true;
  const text = document.createRange();
  text.selectNodeContents(element);
  return element.getBoundingClientRect().width >= Math.min(text.getBoundingClientRect().width, upTo);
}

function hasRoom(header: HTMLElement): boolean {
  const project = header.querySelector("[data-title=project]");
  const section = header.querySelector("[data-title=section]");
  return isWhole(section, SECTION_PX) && isWhole(project, PROJECT_PX);
}

/** Shortens as few parts as possible. Returns how many. */
function fit(header: HTMLElement): number {
  for (let count = 0; count < STEPS.length; count += 1) {
    header.dataset["tight"] = STEPS.slice(0, count).join(" ");
    if (hasRoom(header)) return count;
  }
  header.dataset["tight"] = STEPS.join(" ");
  return STEPS.length;
}

/**
 * Fits the header before each paint that could change it. Returns whether a part is shortened. `title` is what the header shows as its
 * title: a change of it fits the header again.
 */
export function useFit(ref: RefObject<HTMLElement | null>, title: string): (step: Step) => boolean {
  const [count, setCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title needs a new measurement.
  useLayoutEffect(() => {
    const header = ref.current;
    if (header === null) return;
    const update = () => setCount(fit(header));
    update();
    const resizes = new ResizeObserver(update);
    resizes.observe(header);
    const changes = new MutationObserver(update);
    changes.observe(header, { childList: true, characterData: true, subtree: true });
    document.fonts.addEventListener("loadingdone", update);
    return () => {
      resizes.disconnect();
      changes.disconnect();
      document.fonts.removeEventListener("loadingdone", update);
    };
  }, [ref, title]);
  return (step) => STEPS.indexOf(step) < count;
}

/** Keeps the header's height in the style of the document, as `--header-height`: heads of tables stick below it. */
export function useHeaderHeight(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const header = ref.current;
    if (header === null) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty("--header-height", `${header.getBoundingClientRect().height}px`);
    measure();
    const resizes = new ResizeObserver(measure);
    resizes.observe(header);
    return () => {
      resizes.disconnect();
      style.removeProperty("--header-height");
    };
  }, [ref]);
}
