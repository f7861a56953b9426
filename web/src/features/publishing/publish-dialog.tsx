/** The review before a publish: what apps get, from which value to which, who changed it, and what is left out. */
import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { Project } from "@/lib/api-types";
import { LARGE } from "@/ui/breakpoints";
import { paddedFrame } from "@/ui/dialog-frame";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";
import classes from "./publish-dialog.module.css";

const review = later(
  async () => (await import("./publish-review")).PublishReview,
  <LoadingRows rows={5} height={46} label="Loading the unpublished changes" />,
);

const frame = { ...paddedFrame, content: `${paddedFrame.content} ${classes["dialog"]}` };

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
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Publish Changes"
      size={1080}
      fullScreen={!isLarge}
      classNames={frame}
    >
      <review.Part project={project} onClose={onClose} onPublished={onPublished} onNoPlan={onNoPlan} />
    </Modal>
  );
}
