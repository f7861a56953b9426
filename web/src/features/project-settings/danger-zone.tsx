/** What ends things: handing the project over, deleting it, or leaving it. */
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { Panel } from "@/ui/page";
import rows from "@/ui/rows.module.css";
import { DeleteProjectForm } from "./delete-project-form";
import { LeaveProject } from "./leave-project";
import { TransferProject } from "./transfer-project";

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
          <p className={`${rows["row"]} ${rows["note"]}`}>Only the owner can transfer or delete this project.</p>
        </>
      )}
    </Panel>
  );
}

function DeleteProject({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={rows["row"]}>
      <div className={rows["text"]}>
        <p>Delete this project</p>
        <p className={rows["note"]}>Its content, history and keys go for good, and its apps get no more updates.</p>
      </div>
      <Button size="xs" color="red" onClick={() => setOpen(true)}>
        Delete Project
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Delete ${project.name}?`} size="md">
        <DeleteProjectForm project={project} onCancel={() => setOpen(false)} />
      </Modal>
    </div>
  );
}
