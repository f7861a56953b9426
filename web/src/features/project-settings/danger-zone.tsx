/** What ends things: handing the project over, deleting it, or leaving it. */
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { Box, Row, Text } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
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
    <Row align="center" justify="between" gap={8} gapX={16} className={rows["row"]}>
      <Box shrink breaks className={rows["text"]}>
        <p>Delete this project</p>
        <Text size="s" tone="ink-2" className={rows["note"]}>
          Its content, history and keys go for good, and its apps get no more updates.
        </Text>
      </Box>
      <Button size="xs" color="red" onClick={() => setOpen(true)}>
        Delete Project
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Delete ${project.name}?`} size="md">
        <form.Part project={project} onCancel={() => setOpen(false)} />
      </Modal>
    </Row>
  );
}
