/** Asks before a data store and all its items leave the draft. */
import { useState } from "react";
import toast from "react-hot-toast";
import { failureOf } from "@/lib/api";
import { counted } from "@/lib/counted";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import type { Store } from "./queries";
import { useDeleteStore } from "./store-writes";

export function DeleteStoreDialog({
  projectId,
  store,
  onClose,
}: {
  projectId: string;
  /** The store in question; null closes. */
  store: Store | null;
  onClose: () => void;
}) {
  const remove = useDeleteStore(projectId);
  const [last, setLast] = useState(store);
  // The name stays readable while the dialog fades away.
  if (store !== null && store !== last) setLast(store);
  if (last === null) return null;
  return (
    <ConfirmDialog
      opened={store !== null}
      title={`Delete “${last.name}”?`}
      confirmText="Delete Data Store"
      tone="danger"
      loading={remove.isPending}
      onConfirm={() =>
        remove.mutate(last, {
          onSuccess: ({ message }) => toast.success(message),
          onError: (error) => toast.error(failureOf(error, "Failed to delete Data Store.")),
          onSettled: onClose,
        })
      }
      onClose={onClose}
    >
      <p>All of its content and items will be permanently removed.</p>
      <p>
        {last.itemCount > 0 && `It has ${counted(last.itemCount, "item")}. `}
        {last.state === "new" ? "Apps never had it." : "Apps keep it until you publish."}
      </p>
    </ConfirmDialog>
  );
}
