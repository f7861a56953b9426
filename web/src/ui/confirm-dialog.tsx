import { Button, Modal } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconTrash } from "@/ui/icons";
import { look } from "@/ui/look";
import { useEscapeFirst } from "./escape-first";
import { Row } from "./parts";

const inks = { danger: "bad", warning: "warn", info: "ink-2", success: "ok" } as const;
const icons = { danger: IconTrash, warning: IconAlertTriangle, info: IconInfoCircle, success: IconCircleCheck };

/**
 * Asks before something happens. It is confirmed once for each time it opens, and again only when it stays open after
 * `loading`, as after a failure. While `loading` it can't be closed. Escape answers the question, and closes no dialog below it.
 */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmText,
  cancelText = "Cancel",
  tone = "info",
  icon: Icon = icons[tone],
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
  /** In place of the tone's icon, as for a danger that deletes nothing. */
  icon?: typeof IconTrash;
  loading?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  // A fast answer closes the dialog between the two clicks of a double click, and it can be clicked until it has faded away.
  const isAnswered = useRef(false);
  // After each drawing: a call that fails at once, as without a network, is over before `loading` was ever drawn.
  useEffect(() => {
    if (opened && !loading) isAnswered.current = false;
  });
  const close = () => {
    if (!loading) onClose();
  };
  useEscapeFirst(opened, close);
  const confirm = () => {
    if (!opened || isAnswered.current) return;
    isAnswered.current = true;
    onConfirm();
  };
  return (
    <Modal opened={opened} onClose={close} closeOnEscape={false} title={title} size="sm">
      <Row gap={12} tone="ink-2" breaks>
        <Icon
          className={look({ rigid: true, mt: 2, tone: inks[tone] })}
          data-tone={tone}
          size={20}
          aria-hidden="true"
        />
        <div>{children}</div>
      </Row>
      <Row wrap justify="end" gap={8} mt={20}>
        <Button onClick={close} disabled={loading} data-autofocus={tone === "danger" || undefined}>
          {cancelText}
        </Button>
        <Button
          variant="filled"
          {...(tone === "danger" ? { color: "red" } : {})}
          loading={loading}
          onClick={confirm}
          data-autofocus={tone === "danger" ? undefined : true}
        >
          {confirmText}
        </Button>
      </Row>
    </Modal>
  );
}
