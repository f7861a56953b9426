/** The keys of a shortcut inside its button, for people who see; screen readers have `aria-keyshortcuts`. */
import { isMac } from "@/lib/keyboard";
import { Text } from "./parts";
import classes from "./shortcut.module.css";

export function Shortcut({ alt = false, keys }: { alt?: boolean; keys: string }) {
  return (
    <Text as="span" ms={6} noTouch className={classes["shortcut"]} aria-hidden="true">
      {alt && (isMac ? "⌥" : "Alt ")}
      {isMac && keys === "Enter" ? "↩" : keys}
    </Text>
  );
}
