import { Button } from "@mantine/core";
import { useRef } from "react";
import classes from "./undo-toast.module.css";

/** What was done, and the button that undoes it, once: it can be clicked until it has faded away. */
export function UndoToast({ message, onUndo }: { message: string; onUndo: () => void }) {
  const isUndone = useRef(false);
  const undo = () => {
    if (isUndone.current) return;
    isUndone.current = true;
    onUndo();
  };
  return (
    <span className={classes["toast"]}>
      <span>{message}</span>
      <Button size="xs" onClick={undo}>
        Undo
      </Button>
    </span>
  );
}
