/** The dialog in which somebody is invited. */
import { Modal } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";

const form = later(
  async () => (await import("./invite-form")).InviteForm,
  <LoadingRows rows={5} label="Loading the form" />,
);

export function InviteDialog({ project, opened, onClose }: { project: Project; opened: boolean; onClose: () => void }) {
  form.useFetched();
  return (
    <Modal opened={opened} onClose={onClose} title="Invite member" size="md">
      <form.Part project={project} onClose={onClose} />
    </Modal>
  );
}
