import { Button } from "@mantine/core";
import classes from "./undo-toast.module.css";

/** What was done, and the button that undoes it. */
export function UndoToast({ message, onUndo }: { message: string; onUndo: () => void }) {
  return (
    <span className={classes["toast"]}>
      <span>{message}</span>
      <Button size="xs" onClick={onUndo}>
        Undo
      </Button>
    </span>
  );
}
