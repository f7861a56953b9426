/** Shows the draft in the app itself: makes a link for the app's address. */
import { Button, Modal, Tooltip } from "@mantine/core";
import { IconDeviceMobile } from "@tabler/icons-react";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import classes from "./preview.module.css";
import { PreviewForm } from "./preview-form";

export function PreviewButton({ project }: { project: Project }) {
  const [opened, setOpened] = useState(false);
  if (!may(project, "publish")) return null;
  return (
    <>
      <Tooltip label="See unpublished changes in your app">
        <Button
          aria-label="Preview draft"
          className={classes["button"] ?? ""}
          leftSection={<IconDeviceMobile size={15} stroke={1.7} aria-hidden="true" />}
          onClick={() => setOpened(true)}
        >
          <span className={classes["label"]}>Preview draft</span>
        </Button>
      </Tooltip>
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
