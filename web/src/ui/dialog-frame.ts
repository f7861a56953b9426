/** The frame of a dialog whose middle fills it and scrolls, above a footer that stays in place. */
import classes from "./dialog-frame.module.css";
import { look } from "./look";

/** `classNames` of such a Modal or Drawer. */
const content = look({ layout: "stack" });
const body = look({ layout: "stack", grow: true, minH: 0 }, classes["body"]);
export const dialogFrame = { content, body };

/** As `dialogFrame`, with room around what the dialog shows instead of its contents: loading, or what went wrong. */
export const paddedFrame = { ...dialogFrame, body: `${body} ${classes["padded"]}` };

export const dialogFooter = look(
  { rigid: true, place: "sticky", px: 20, py: 14, fill: "surface", lineAbove: true },
  classes["footer"],
);
