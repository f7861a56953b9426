/** What can be done to one screen: copy its ID, delete it. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyButton } from "@/ui/copy-button";
import { useDeleteScreen } from "./use-screens";

export function ScreenActions({ project, screen }: { project: Project; screen: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteScreen(project);
  return (
    <>
      <CopyButton value={screen} label={`Copy ID of ${screen}`} copied="ID copied!" />
      {may(project, "edit") && (
        <Tooltip label={`Delete ${screen}`}>
          <ActionIcon size={26} aria-label={`Delete ${screen}`} onClick={() => setAsking(true)}>
            <IconTrash size={15} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={`Delete screen “${screen}”?`}
        confirmText="Delete screen"
        tone="danger"
        loading={remove.isPending}
        onConfirm={() => remove.mutate(screen, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        All its translations will be removed. This action cannot be undone.
        {project.isPublished && " Apps keep showing what they have until you publish."}
      </ConfirmDialog>
    </>
  );
}
