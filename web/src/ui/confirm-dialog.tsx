import { Button, Modal } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./confirm-dialog.module.css";

const icons = { danger: IconTrash, warning: IconAlertTriangle, info: IconInfoCircle, success: IconCircleCheck };

/** Asks before something happens. While `loading` it can neither be confirmed twice nor closed. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmText,
  cancelText = "Cancel",
  tone = "info",
  loading = false,
  onConfirm,
  onClose,
}: {
  opened: boolean;
  title: string;
  /** What will happen, and what is lost. */
  children: ReactNode;
  confirmText: string;
  cancelText?: string;
  tone?: keyof typeof icons;
  loading?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const Icon = icons[tone];
  const close = () => {
    if (!loading) onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} size="sm">
      <div className={classes["message"]}>
        <Icon className={classes["icon"]} data-tone={tone} size={20} aria-hidden="true" />
        <div>{children}</div>
      </div>
      <div className={classes["buttons"]}>
        <Button onClick={close} disabled={loading} data-autofocus={tone === "danger" || undefined}>
          {cancelText}
        </Button>
        <Button
          variant="filled"
          {...(tone === "danger" ? { color: "red" } : {})}
          loading={loading}
          onClick={onConfirm}
          data-autofocus={tone === "danger" ? undefined : true}
        >
          {confirmText}
        </Button>
      </div>
    </Modal>
  );
}
