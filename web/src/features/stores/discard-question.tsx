/** What `useLeaveGuard` asks. */
import type { ReactNode } from "react";
import type { useLeaveGuard } from "@/lib/use-leave-guard";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconArrowBackUp } from "@/ui/icons";

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
      icon={IconArrowBackUp}
      onConfirm={guard.leave}
      onClose={guard.stay}
    >
      {children}
    </ConfirmDialog>
  );
}
