/** The dialog of scheduled publishes. Each opening starts with tomorrow at nine. */
import { Modal } from "@mantine/core";
import { useLocation } from "react-router";
import type { Project } from "@/lib/api-types";
import type { PlanChoice } from "@/lib/project";
import { useAddressChange } from "@/lib/use-address-change";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { LoadingRows } from "@/ui/states";

const manager = later(
  async () => (await import("./schedule-manager")).ScheduleManager,
  <LoadingRows rows={5} height={46} label="Loading scheduled publishes" />,
);

export function ScheduleDialog({
  project,
  opened,
  onClose,
  onActivate,
}: {
  project: Project;
  opened: boolean;
  onClose: () => void;
  onActivate: (choice: PlanChoice) => void;
}) {
  manager.useFetched();
  useAddressChange(useLocation().pathname, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Manage Scheduled Publishes"
      size={560}
      classNames={{ body: look({ layout: "stack", gap: 18 }) }}
    >
      <manager.Part project={project} onClose={onClose} onActivate={onActivate} />
    </Modal>
  );
}
