/** Shows the draft in the app itself: makes a link for the app's address. */
import { Modal } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { HeaderButton } from "@/ui/header-button";
import { IconDeviceMobile } from "@/ui/icons";
import { PreviewForm } from "./preview-form";

export function PreviewButton({ project, isTight }: { project: Project; isTight: boolean }) {
  const [opened, setOpened] = useState(false);
  if (!may(project, "publish")) return null;
  return (
    <>
      <HeaderButton
        label="Preview draft"
        hint="See unpublished changes in your app"
        icon={<IconDeviceMobile size={15} stroke={1.7} aria-hidden="true" />}
        isTight={isTight}
        onClick={() => setOpened(true)}
      />
      <PreviewDialog project={project} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

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
