/** In place of the sidebar on small screens: the parts of the project as a dropdown. */

import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import type { Project } from "@/lib/api-types";
import { focusInPlace } from "@/ui/focus";
import { IconChevronDown } from "@/ui/icons";
import { look } from "@/ui/look";
import { Row, Text } from "@/ui/parts";
import classes from "./part-picker.module.css";
import { screenUse, waitingIn } from "./project-sidebar";
import { GENERAL, sortedScreens, tabsOf, tabTitle, useOpenTab } from "./tabs";
import { useScreenOrder } from "./use-screen-order";

export function PartPicker({ project }: { project: Project }) {
  const navigate = useNavigate();
  const tab = useOpenTab();
  const { order } = useScreenOrder();
  const { hold, onBlur } = useHeldFocus();
  const marked = (name: string, title: string) =>
    waitingIn(project, name) === undefined ? title : `${title} (${waitingIn(project, name)})`;
  return (
    <label
      className={look(
        {
          layout: "row",
          align: "center",
          gap: 4,
          shrink: true,
          place: "relative",
          h: 40,
          radius: "s",
          hover: true,
          px: 4,
        },
        classes["picker"],
      )}
    >
      <Row as="span" shrink weight={600}>
        <Text as="span" truncate data-title="section">
          {tab === GENERAL ? "General" : tabTitle(tab)}
        </Text>
        {waitingIn(project, tab) !== undefined && <Text as="i" place="absolute" dot className={classes["dot"]} />}
      </Row>
      <IconChevronDown className={look({ rigid: true })} size={16} aria-hidden="true" />
      <select
        className={look({ full: true, place: "absolute", border: "none", size: "l" })}
        aria-label="Part of the project"
        value={tab}
        onKeyDown={openByKey}
        onBlur={onBlur}
        onChange={(event) => {
          hold();
          void navigate(`/projects/${project.projectId}/${event.currentTarget.value}`);
        }}
      >
        {tabsOf(project).map(({ path, title }) => (
          <option key={path} value={path}>
            {marked(path, title)}
          </option>
        ))}
        <optgroup label={`Screens ${screenUse(project)}`}>
          {sortedScreens(project.tabs, order).map((screen) => (
            <option key={screen} value={screen}>
              {marked(screen, screen)}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

const STEPS = new Set(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", "PageDown", "PageUp"]);

/** A key that would choose another part unseen shows the parts instead: each of them is a page, and loaded at once. */
function openByKey(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isLetter = event.key.length === 1 && event.key !== " ";
  const select = event.currentTarget;
  if ((!STEPS.has(event.key) && !isLetter) || isOpen(select) || !("showPicker" in select)) return;
  try {
    select.showPicker();
  } catch {
    // Not allowed here, as inside a frame of another site: the key does what it does by itself.
    return;
  }
  event.preventDefault();
}

function isOpen(select: HTMLSelectElement): boolean {
  try {
    return select.matches(":open");
  } catch {
    // A browser that does not know the word; those hear no keys while the list is open.
    return false;
  }
}

/** After a choice the focus stays until the next key or touch, whatever the page that comes would do with it. */
function useHeldFocus() {
  const isHeld = useRef(false);
  useEffect(() => {
    const letGo = () => {
      isHeld.current = false;
    };
    const acts = ["keydown", "pointerdown"] as const;
    for (const act of acts) window.addEventListener(act, letGo, { capture: true });
    return () => {
      for (const act of acts) window.removeEventListener(act, letGo, { capture: true });
    };
  }, []);
  return {
    hold: () => {
      isHeld.current = true;
    },
    onBlur: ({ currentTarget: select, relatedTarget }: FocusEvent<HTMLSelectElement>) => {
      // Without a next place it is the window that lost the focus.
      if (isHeld.current && relatedTarget !== null) queueMicrotask(() => focusInPlace(select));
    },
  };
}
