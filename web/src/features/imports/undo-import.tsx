/** Takes the texts of an import out of the draft again, after a question. */
import { Button } from "@mantine/core";
import { useState } from "react";
import toast from "react-hot-toast";
import { failureOf, isUnreachable } from "@/lib/api";
import { counted } from "@/lib/counted";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconArrowBackUp } from "@/ui/icons";
import { useUndo } from "./queries";

export function UndoImport({
  projectId,
  importId,
  texts,
  label,
  onUndone,
}: {
  projectId: string;
  importId: string;
  texts: number;
  /** What screen readers call the button in a list. */
  label?: string;
  /** Given what was undone, with the number of texts that stayed. */
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
        {texts === 1 ? "Its text gets" : `Its ${counted(texts, "text")} get`} back what the draft had before. Texts that
        somebody changed since the import stay as they are, and so do the screens that it made.
      </ConfirmDialog>
    </>
  );
}
