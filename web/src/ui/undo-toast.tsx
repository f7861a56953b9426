import { Button } from "@mantine/core";
import { useRef } from "react";
import toast from "react-hot-toast";
import { look } from "@/ui/look";
import { Row } from "./parts";

/** Long enough to read and to reach the button. */
const SHOWN_MS = 10_000;

/** What was done, and the button that undoes it, once: it can be clicked until it has faded away. */
export function UndoToast({
  message,
  onUndo,
  label = "Undo",
}: {
  message: string;
  onUndo: () => void;
  label?: string | undefined;
}) {
  const isUndone = useRef(false);
  const undo = () => {
    if (isUndone.current) return;
    isUndone.current = true;
    onUndo();
  };
  return (
    <Row as="span" align="center" gap={12}>
      <span>{message}</span>
      <Button size="xs" className={look({ rigid: true })} onClick={undo}>
        {label}
      </Button>
    </Row>
  );
}

/** Reports a success with a button that undoes it; `onUndo` runs at most once. */
export function offerUndo(message: string, onUndo: () => void, label?: string): void {
  toast.success(
    ({ id }) => (
      <UndoToast
        message={message}
        label={label}
        onUndo={() => {
          toast.dismiss(id);
          onUndo();
        }}
      />
    ),
    { duration: SHOWN_MS },
  );
}
