/** Asks before a screen and its texts leave the draft. */
import type { Project } from "@/lib/api-types";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { ScreenLosses } from "./screen-losses";
import { useDeleteScreen } from "./use-delete-screen";

export function DeleteScreenDialog({
  project,
  screen,
  opened,
  onClose,
}: {
  project: Project;
  screen: string;
  opened: boolean;
  onClose: () => void;
}) {
  const remove = useDeleteScreen(project);
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete screen “${screen}”?`}
      confirmText="Delete screen"
      tone="danger"
      loading={remove.isPending}
      onConfirm={() => remove.mutate(screen, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>
        All its translations will be removed. This action cannot be undone.
        {project.isPublished && " Apps keep showing what they have until you publish."}
      </p>
      <ScreenLosses projectId={project.projectId} screen={screen} />
    </ConfirmDialog>
  );
}
