/** The keys of a shortcut inside its button: for those who see, as `aria-keyshortcuts` says it to the others. */
import { isMac } from "@/lib/keyboard";
import classes from "./shortcut.module.css";

export function Shortcut({ alt = false, keys }: { alt?: boolean; keys: string }) {
  return (
    <span className={classes["shortcut"]} aria-hidden="true">
      {alt && (isMac ? "⌥" : "Alt ")}
      {isMac && keys === "Enter" ? "↩" : keys}
    </span>
  );
}
