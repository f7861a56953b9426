/** Asks before an item leaves the draft. */
import { useState } from "react";
import toast from "react-hot-toast";
import { failureOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { labelOf } from "./cell-text";
import { useItemWrites } from "./item-writes";
import type { Item, Store } from "./queries";

export function DeleteItemDialog({
  project,
  store,
  item,
  onClose,
}: {
  project: Project;
  store: Store;
  /** The item in question; null closes. */
  item: Item | null;
  onClose: () => void;
}) {
  const { remove } = useItemWrites({ projectId: project.projectId, store });
  const [last, setLast] = useState(item);
  if (item !== null && item !== last) setLast(item);
  if (last === null) return null;
  return (
    <ConfirmDialog
      opened={item !== null}
      title={`Delete ${labelOf(last, store.fields, project.defaultLanguage)}?`}
      confirmText="Delete item"
      tone="danger"
      loading={remove.isPending}
      onConfirm={() =>
        remove.mutate(last, {
          onSuccess: () => toast.success("Item deleted successfully."),
          onError: (error) => toast.error(failureOf(error, "Failed to delete item.")),
          onSettled: onClose,
        })
      }
      onClose={onClose}
    >
      The item will be removed in all languages. This action cannot be undone.
      {last.state === "new" ? " Apps never had it." : " Apps keep it until you publish."}
    </ConfirmDialog>
  );
}
