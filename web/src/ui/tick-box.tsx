/** A tick box with a third state: some of its things are ticked. */

import { look } from "./look";
import classes from "./tick-box.module.css";

export type TickState = "on" | "part" | "off";

export function TickBox({
  of = "",
  state,
  label,
  isFixed = false,
  title,
  onTick,
}: {
  /** The change that it ticks. A box for several changes has no such name. */
  of?: string;
  state: TickState;
  /** What screen readers call it, with counts where there are some. */
  label: string;
  /** It can't be changed; `title` has the reason. */
  isFixed?: boolean;
  title?: string | undefined;
  /** A box with some things ticked ticks them all. */
  onTick: (isOn: boolean) => void;
}) {
  return (
    <input
      type="checkbox"
      className={look(
        {
          center: true,
          rigid: true,
          place: "relative",
          m: 0,
          h: 16,
          fill: "surface",
          radius: "xs",
          pointer: true,
          w: 16,
        },
        classes["box"],
      )}
      ref={(box) => {
        // A click takes this mark away, so it is set again after each drawing.
        if (box !== null) box.indeterminate = state === "part";
      }}
      data-tick={of}
      aria-label={label}
      title={title}
      checked={state === "on"}
      disabled={isFixed}
      onChange={() => onTick(state !== "on")}
      onKeyDown={(event) => {
        // A form or a dialog would take Enter on a box for its button.
        if (event.key === "Enter") event.preventDefault();
      }}
    />
  );
}
