/** The frame of a dialog whose middle fills it and scrolls, above a footer that stays in place. */
import classes from "./dialog-frame.module.css";

/** `classNames` of such a Modal or Drawer. */
export const dialogFrame = { content: classes["content"] ?? "", body: classes["body"] ?? "" };

/** As `dialogFrame`, with room around what the dialog says instead of its contents: loading, or what went wrong. */
export const paddedFrame = { ...dialogFrame, body: `${classes["body"]} ${classes["padded"]}` };

export const dialogFooter = classes["footer"] ?? "";
