/** The picture's part of the form: what is live, what was chosen instead, and the zone to choose it with. */
import { Button } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { useDropzone } from "react-dropzone";
import { formatBytes } from "@/lib/bytes";
import { DropZone } from "@/ui/drop-zone";
import { IconPhotoUp } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
import classes from "./image-dialog.module.css";
import { ACCEPTED, dimensionsOf, LARGEST } from "./image-files";
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
  /** The image that is live; null for a new image. */
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
    <Stack gap={10} place="relative" {...getRootProps()}>
      {/* It takes no room, and no gap either. */}
      <input className={look({ place: "absolute" })} {...getInputProps({ "aria-label": "Image file", tabIndex: -1 })} />
      {isLive ? (
        <Live image={current} />
      ) : file !== null ? (
        <Preview file={file} />
      ) : (
        <DropZone isActive={isDragActive} problemId={problem ? problemId : undefined} disabled={isOff} onClick={open}>
          <IconPhotoUp size={24} stroke={1.5} aria-hidden="true" />
          <span>
            <Text as="b" weight={600} tone="accent-text">
              Choose a file
            </Text>
            , or drag and drop it here
          </span>
          <Text as="small" size="xs" tone="ink-3">
            JPG, PNG and WEBP up to {LARGEST}. You can also paste an image.
          </Text>
        </DropZone>
      )}
      {problem && (
        <p className={look({ size: "note", tone: "bad" })} id={problemId} role="alert">
          {problem}
        </p>
      )}
      <Row wrap gap={8} className={classes["choices"]}>
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
      </Row>
    </Stack>
  );
}

function Live({ image }: { image: ImageRecord }) {
  return (
    <Box as="figure" border="line" radius="m" clip className={classes["preview"]}>
      <Picture image={image} alt={`Current image of ${image.key}`} />
      <Row as="figcaption" wrap justify="between" gap={2} gapX={12} px={12} py={8} lineAbove size="s" tone="ink-2">
        <span>This image is currently live. Replace it with a new upload if needed.</span>
        <Text as="span" size="xs" lineH={20} tone="ink-3" num>
          {dimensionsOf(image)} · {formatBytes(image.bytes)}
        </Text>
      </Row>
    </Box>
  );
}

/** What was chosen, before it is sent. */
function Preview({ file }: { file: File }) {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<string | null>(null);
  return (
    <Box as="figure" border="line" radius="m" clip className={classes["preview"]}>
      <Grid as="span" center fill="sunken" h={220} className={classes["chosen"]}>
        {url !== undefined && (
          <img
            className={look({ layout: "block" })}
            src={url}
            alt={`Preview of ${file.name}`}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSize(dimensionsOf({ width, height }))
            }
            onError={() => setSize("can't be shown here")}
          />
        )}
      </Grid>
      <Row as="figcaption" wrap justify="between" gap={2} gapX={12} px={12} py={8} lineAbove size="s" tone="ink-2">
        <Text as="span" shrink clip breaks ellipsis>
          <bdi>{file.name}</bdi>
        </Text>
        <Text as="span" size="xs" lineH={20} tone="ink-3" num>
          {size === null ? "" : `${size} · `}
          {formatBytes(file.size)}
        </Text>
      </Row>
    </Box>
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
