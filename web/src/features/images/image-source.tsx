/** The picture's part of the form: what is live, what was chosen instead, and the zone to choose it with. */
import { Button, UnstyledButton } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { useDropzone } from "react-dropzone";
import { formatBytes } from "@/lib/bytes";
import { IconPhotoUp } from "@/ui/icons";
import classes from "./image-dialog.module.css";
import { ACCEPTED, dimensionsOf } from "./image-files";
import { Picture } from "./picture";
import type { ImageRecord } from "./queries";

export function ImageSource({
  current,
  file,
  isReplacing,
  isOff,
  problem,
  onFiles,
  onReplace,
  onKeep,
  onRemove,
}: {
  /** The image that is live; null for a new one. */
  current: ImageRecord | null;
  file: File | null;
  isReplacing: boolean;
  isOff: boolean;
  problem: string | undefined | null;
  onFiles: (files: File[]) => void;
  onReplace: () => void;
  onKeep: () => void;
  onRemove: () => void;
}) {
  const problemId = useId();
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    accept: ACCEPTED,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    disabled: isOff,
    // What does not fit is refused in our words.
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map((rejection) => rejection.file)]),
  });
  const isLive = current !== null && !isReplacing;
  return (
    <div className={classes["source"]} {...getRootProps()}>
      <input {...getInputProps({ "aria-label": "Image file", tabIndex: -1 })} />
      {isLive ? (
        <Live image={current} />
      ) : file !== null ? (
        <Preview file={file} />
      ) : (
        <UnstyledButton
          className={classes["zone"] ?? ""}
          data-active={isDragActive || undefined}
          data-problem={problem ? true : undefined}
          {...(problem ? { "aria-describedby": problemId } : {})}
          disabled={isOff}
          onClick={open}
        >
          <IconPhotoUp size={24} stroke={1.5} aria-hidden="true" />
          <span>
            <b>Choose a file</b>, or drag and drop it here
          </span>
          <small>JPG, PNG and WEBP up to 10MB. You can paste one, too.</small>
        </UnstyledButton>
      )}
      {problem && (
        <p id={problemId} className={classes["problem"]} role="alert">
          {problem}
        </p>
      )}
      <div className={classes["choices"]}>
        {isLive ? (
          <Button size="xs" disabled={isOff} onClick={onReplace}>
            Replace image
          </Button>
        ) : (
          <>
            {file !== null && current === null && (
              <Button size="xs" disabled={isOff} onClick={onRemove}>
                Remove image
              </Button>
            )}
            {file !== null && current !== null && (
              <Button size="xs" disabled={isOff} onClick={open}>
                Choose different image
              </Button>
            )}
            {current !== null && (
              <Button size="xs" variant="subtle" disabled={isOff} onClick={onKeep}>
                Keep existing image
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function Live({ image }: { image: ImageRecord }) {
  return (
    <figure className={classes["preview"]}>
      <Picture image={image} alt={`Current image of ${image.key}`} />
      <figcaption>
        <span>This image is currently live. Replace it with a new upload if needed.</span>
        <span className={`${classes["facts"]} num`}>
          {dimensionsOf(image)} · {formatBytes(image.bytes)}
        </span>
      </figcaption>
    </figure>
  );
}

/** What was chosen, before it is sent. */
function Preview({ file }: { file: File }) {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<string | null>(null);
  return (
    <figure className={classes["preview"]}>
      <span className={classes["chosen"]}>
        {url !== undefined && (
          <img
            src={url}
            alt={`Preview of ${file.name}`}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSize(dimensionsOf({ width, height }))
            }
            onError={() => setSize("can't be shown here")}
          />
        )}
      </span>
      <figcaption>
        <span className={classes["name"]}>
          <bdi>{file.name}</bdi>
        </span>
        <span className={`${classes["facts"]} num`}>
          {size === null ? "" : `${size} · `}
          {formatBytes(file.size)}
        </span>
      </figcaption>
    </figure>
  );
}

/** An address for what the file holds, for as long as it is shown. */
function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
