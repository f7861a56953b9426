/** Asks before a key and all its texts leave the draft. */
import { useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import type { KeyRecord } from "./queries";
import { useDeleteKey } from "./remove-key";

export function DeleteKeyDialog({
  record,
  opened,
  place,
  onClose,
}: {
  /** The key in question; null while the dialog is closed. */
  record: KeyRecord | null;
  opened: boolean;
  place: { projectId: string; screen: string };
  onClose: (isDeleted: boolean) => void;
}) {
  const remove = useDeleteKey(place);
  const [isDeleting, setDeleting] = useState(false);
  const [last, setLast] = useState(record);
  // The name stays readable while the dialog fades away.
  if (record !== null && record !== last) setLast(record);
  if (last === null) return null;

  const confirm = async () => {
    setDeleting(true);
    try {
      await remove(last);
      onClose(true);
    } catch (error) {
      toast.error(messageOf(error, "Failed to delete key"));
      onClose(false);
    } finally {
      setDeleting(false);
    }
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete “${last.key}”?`}
      confirmText="Delete key"
      tone="danger"
      loading={isDeleting}
      onConfirm={() => void confirm()}
      onClose={() => onClose(false)}
    >
      {last.state === "empty"
        ? "The key has no texts. "
        : "Its texts in all languages will be removed. This action cannot be undone. "}
      {last.state === "new" || last.state === "empty"
        ? "Apps never had this key."
        : "Apps keep showing what they have until you publish."}
    </ConfirmDialog>
  );
}
