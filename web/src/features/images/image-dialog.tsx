/** Uploads an image, or changes the key of an image, its picture, or both. */
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import toast from "react-hot-toast";
import type { Project } from "@/lib/api-types";
import { KEY_CHARACTERS } from "@/lib/limits.gen";
import { may, useProject } from "@/lib/project";
import { currentIn, editorIn } from "@/lib/stale-revision";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { KeptNotice } from "@/ui/kept-notice";
import { LockedName } from "@/ui/locked-name";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { offerUndo } from "@/ui/undo-toast";
import { keyOfFile, refusalOfKey } from "./image-files";
import { ImageSource } from "./image-source";
import { ImageUses } from "./image-uses";
import { type ImageProblems, type ImageRecord, refusalOfImage, type UploadPhase, useImageUpload } from "./queries";
import { Sending } from "./sending";
import type { ImageTask } from "./use-image-task";

interface Props {
  project: Project;
  task: ImageTask;
  images: readonly ImageRecord[];
  opened: boolean;
  onFiles: (files: File[]) => void;
  /** Goes without the file that was chosen. */
  onNoFile: () => void;
  onClose: () => void;
  onSaved: () => void;
}

export function ImageDialog({ opened, ...props }: Props) {
  const { task, onClose } = props;
  const { upload, phase, stop } = useImageUpload(props.project.projectId);
  const isBusy = phase.name !== "idle";
  const place = task.total > 1 ? ` (${task.total - task.rest.length} of ${task.total})` : "";
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={task.image === null ? `Upload Image${place}` : "Update Image"}
      size="md"
      closeOnClickOutside={!isBusy}
    >
      <ImageForm {...props} upload={upload} phase={phase} onCancel={close} />
    </Modal>
  );
}

function ImageForm({
  project,
  task,
  images,
  onFiles,
  onNoFile,
  onSaved,
  onCancel,
  upload,
  phase,
}: Omit<Props, "opened" | "onClose"> & {
  onCancel: () => void;
  upload: ReturnType<typeof useImageUpload>["upload"];
  phase: UploadPhase;
}) {
  const { image, file } = task;
  const [typed, setTyped] = useState<string | null>(image?.key ?? null);
  const [isReplacing, setReplacing] = useState(false);
  const [problems, setProblems] = useState<ImageProblems>({});
  /** The record that an update is an update of. */
  const [base, setBase] = useState(image);
  const others = new Set(images.filter(({ _id }) => _id !== image?._id).map(({ key }) => key));
  const kept = useKeptText<string>(
    { form: image === null ? "new image" : "image", project: project.projectId, id: image?._id ?? "" },
    (stored) => (typeof stored === "string" && stored !== "" && stored !== image?.key ? stored : null),
  );
  useKeepTyped(kept, typed === "" || typed === (image?.key ?? null) ? null : typed);
  const key = typed ?? (file === null ? "" : keyOfFile(file.name, others));
  const isBusy = phase.name !== "idle";
  const failure = image === null ? "Failed to upload image." : "Failed to update image.";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const cleaned = key.trim();
    const found = {
      key: refusalOfKey(cleaned, others),
      file: refusalOfChoice(task, isReplacing),
      form: image !== null && !base?._id ? "Unable to update image: missing reference." : undefined,
    };
    setProblems(found);
    if (Object.values(found).some((problem) => problem !== undefined)) return;
    if (image !== null && file === null && cleaned === base?.key) return onSaved();
    try {
      const saved = await upload({ image: base, key: cleaned, file });
      kept.forget();
      const message = `Image "${saved.key}" ${image === null ? "uploaded" : "updated"} successfully!`;
      if (base === null || !project.isPublished || saved.key === base.key) toast.success(message);
      else offerUndo(message, () => void undoRename(saved, base.key), "Undo rename");
      onSaved();
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      const current = currentIn<ImageRecord>(error);
      if (current === undefined) return setProblems(refusalOfImage(error, failure));
      // Saving once more overwrites what is now known; nobody's image goes unseen.
      setBase(current);
      setProblems({
        form: `${editorIn(error)} changed this image to the one above. Save again to put yours in its place.`,
      });
    }
  };
  const undoRename = async (renamed: ImageRecord, former: string) => {
    try {
      await upload({ image: renamed, key: former, file: null });
    } catch {
      toast.error(`“${renamed.key}” could not be renamed back to “${former}”.`);
    }
  };
  return (
    <Stack as="form" gap={16} noValidate onSubmit={(event) => void submit(event)}>
      <KeptNotice kept={kept} onContinue={setTyped} />
      <LockedName
        label="Image Key"
        name={base?.key ?? ""}
        isLocked={base !== null && project.isPublished}
        isRenamed={typed !== null && typed !== base?.key}
        isOff={isBusy}
        breaks={
          base !== null && (
            <>
              Apps that ask for <bdi className="mono">{base.key}</bdi> go on getting this image, until another image
              takes that key.
            </>
          )
        }
      >
        {(isAsked) => (
          <TextInput
            label="Image Key"
            placeholder="logo_primary"
            description="Apps read the image by this key."
            inputWrapperOrder={["label", "input", "description", "error"]}
            className={look({ monoField: true })}
            value={key}
            error={problems.key}
            disabled={isBusy}
            maxLength={KEY_CHARACTERS}
            autoFocus={isAsked}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setProblems({});
            }}
          />
        )}
      </LockedName>
      {base !== null && base.aliases.length > 0 && (
        <Text size="s" tone="ink-2">
          Apps that ask for its former {base.aliases.length === 1 ? "key" : "keys"} get it too:{" "}
          <bdi className="mono">{base.aliases.join(", ")}</bdi>
        </Text>
      )}
      <ImageSource
        current={base}
        file={file}
        isReplacing={isReplacing || file !== null}
        isOff={isBusy}
        problem={task.refusal ?? problems.file}
        onFiles={(files) => {
          setProblems({});
          onFiles(files);
        }}
        onReplace={() => setReplacing(true)}
        onKeep={() => {
          setReplacing(false);
          setProblems({});
          onNoFile();
        }}
        onRemove={onNoFile}
      />
      {problems.form !== undefined && (
        <Notice
          tone="bad"
          action={problems.needsPlan === true && may(project, "assign_credits") && <PlanButton onLeave={onCancel} />}
        >
          {problems.form}
        </Notice>
      )}
      {base !== null && !project.isPublished && key.trim() !== base.key && (
        <ImageUses projectId={project.projectId} image={base} />
      )}
      <Text size="s" tone="ink-2">
        Apps have it at once, without a publish.
        {(file !== null || base !== null) &&
          " Livery removes camera data, such as the place, and compresses the picture again: the stored file can be smaller or larger than yours."}
      </Text>
      {isBusy && <Sending phase={phase} />}
      <Row wrap justify="end" gap={8}>
        <Button
          onClick={() => {
            kept.forget();
            onCancel();
          }}
        >
          Cancel
        </Button>
        {/* Mantine's own loader would cover the words that name the work. */}
        <Button type="submit" variant="filled" {...(isBusy ? { "data-disabled": true, "aria-disabled": true } : {})}>
          {submitText(image === null, isBusy)}
        </Button>
      </Row>
    </Stack>
  );
}

function submitText(isNew: boolean, isBusy: boolean): string {
  if (isBusy) return isNew ? "Uploading..." : "Updating...";
  return isNew ? "Upload" : "Save Changes";
}

function refusalOfChoice({ image, file }: ImageTask, isReplacing: boolean): string | undefined {
  if (file !== null) return undefined;
  if (image === null) return "Please select an image to upload.";
  return isReplacing ? "Please choose a replacement image or keep the existing one." : undefined;
}

function PlanButton({ onLeave }: { onLeave: () => void }) {
  const { openActivation } = useProject();
  return (
    <Button
      size="xs"
      variant="filled"
      onClick={() => {
        onLeave();
        openActivation();
      }}
    >
      Choose a plan
    </Button>
  );
}
