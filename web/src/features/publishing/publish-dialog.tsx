/** The review before a publish: what goes out, from what to what, and who changed it. */
import { Modal } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { paddedFrame } from "@/ui/dialog-frame";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";

const review = later(
  async () => (await import("./publish-review")).PublishReview,
  <LoadingRows rows={5} height={46} label="Loading what waits to be published" />,
);

export function PublishDialog({
  project,
  opened,
  onClose,
  onPublished,
  onNoPlan,
}: {
  project: Project;
  opened: boolean;
  onClose: () => void;
  onPublished: () => void;
  onNoPlan: () => void;
}) {
  review.useFetched();
  return (
    <Modal opened={opened} onClose={onClose} title="Publish Changes" size={720} classNames={paddedFrame}>
      <review.Part project={project} onClose={onClose} onPublished={onPublished} onNoPlan={onNoPlan} />
    </Modal>
  );
}
