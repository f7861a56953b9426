/** What `useLeaveGuard` asks. */
import type { ReactNode } from "react";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import type { useLeaveGuard } from "./use-leave-guard";

export function DiscardQuestion({
  guard,
  children,
}: {
  guard: ReturnType<typeof useLeaveGuard>;
  /** What would be lost. */
  children: ReactNode;
}) {
  return (
    <ConfirmDialog
      opened={guard.isAsking}
      title="Discard your changes?"
      confirmText="Discard changes"
      cancelText="Keep editing"
      tone="danger"
      onConfirm={guard.leave}
      onClose={guard.stay}
    >
      {children}
    </ConfirmDialog>
  );
}
