/** Shows the draft in the app itself: makes a link for the app's address. */
import { Modal } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { PreviewForm } from "./preview-form";

export function PreviewDialog({
  project,
  opened,
  onClose,
}: {
  project: Project;
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title="Preview draft" size={560}>
      <PreviewForm project={project} />
    </Modal>
  );
}
