/** Takes what an import wrote out of the draft again, after a question. */
import { Button } from "@mantine/core";
import { useState } from "react";
import toast from "react-hot-toast";
import { failureOf, isUnreachable } from "@/lib/api";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconArrowBackUp } from "@/ui/icons";
import { useUndo } from "./queries";

export function UndoImport({
  projectId,
  importId,
  entries,
  label,
  onUndone,
}: {
  projectId: string;
  importId: string;
  /** '6 texts', '1 colour'. */
  entries: string;
  /** What screen readers call the button in a list. */
  label?: string;
  /** Given what was undone, with the number of changes that stayed. */
  onUndone: (message: string) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const undo = useUndo(projectId, onUndone);
  const confirm = () =>
    undo.mutate(importId, {
      onError: (error) => toast.error(failureOf(error, "Failed to undo the import.")),
      onSettled: (_, error) => setAsking(isUnreachable(error)),
    });
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconArrowBackUp size={13} aria-hidden="true" />}
        aria-label={label}
        onClick={() => setAsking(true)}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Undo this import?"
        confirmText="Undo the import"
        tone="warning"
        icon={IconArrowBackUp}
        loading={undo.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        The draft gets back what it had before ({entries}). What somebody changed since the import stays as it is, and
        so do the screens that it made.
      </ConfirmDialog>
    </>
  );
}
