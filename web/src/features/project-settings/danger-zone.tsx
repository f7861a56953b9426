/** What ends things: handing the project over, deleting it, or leaving it. */
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Text } from "@/ui/parts";
import { LoadingRows } from "@/ui/states";
import { LeaveProject } from "./leave-project";
import { TransferProject } from "./transfer-project";

const form = later(
  async () => (await import("./delete-project-form")).DeleteProjectForm,
  <LoadingRows rows={5} label="Loading the form" />,
);

export function DangerZone({ project }: { project: Project }) {
  return (
    <Panel title="Danger zone">
      {may(project, "own") ? (
        <>
          <TransferProject project={project} />
          <DeleteProject project={project} />
        </>
      ) : (
        <>
          <LeaveProject project={project} />
          <Text px={16} py={12} lineAbove size="s" tone="ink-2">
            Only the owner can transfer or delete this project.
          </Text>
        </>
      )}
    </Panel>
  );
}

function DeleteProject({ project }: { project: Project }) {
  form.useFetched();
  const [isOpen, setOpen] = useState(false);
  return (
    <PanelRow>
      <RowText name="Delete this project">
        Its content, history and keys go for good, and its apps get no more updates.
      </RowText>
      <Button size="xs" color="red" onClick={() => setOpen(true)}>
        Delete Project
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Delete ${project.name}?`} size="md">
        <form.Part project={project} onCancel={() => setOpen(false)} />
      </Modal>
    </PanelRow>
  );
}
