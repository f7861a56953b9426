/** The address of an image or a file: written, or chosen from the project's images. */
import { Button, Loader, TextInput, type TextInputProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { messageOf } from "@/lib/api";
import { MEDIA_ADDRESS_CHARACTERS } from "@/lib/limits.gen";
import { pictureOf } from "@/lib/picture";
import { IconPhoto } from "@/ui/icons";
import { look } from "@/ui/look";
import { Grid, Row, Stack, Text } from "@/ui/parts";
import { ErrorState } from "@/ui/states";
import { Thumbnail } from "@/ui/thumbnail";
import classes from "./item-dialog.module.css";
import { type Image, imagesQuery } from "./queries";

/** Up to this many images the picker needs no search. */
const FEW = 12;

export function MediaInput({
  projectId,
  name,
  value,
  onChange,
  readOnly = false,
  placeholder = "Enter image or file URL",
  ...input
}: Omit<TextInputProps, "onChange" | "value"> & {
  projectId: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [isChoosing, setChoosing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const picture = pictureOf(value, 64);
  const choose = (image: Image) => {
    // By its key, on whatever address this server has: a picture that is replaced is replaced here too.
    onChange(`/media/${projectId}/${image.key}`);
    setChoosing(false);
    button.current?.focus();
  };
  return (
    <>
      <Row align="center" gap={8}>
        {picture !== null && <Thumbnail src={picture} size={34} />}
        <TextInput
          {...input}
          readOnly={readOnly}
          placeholder={placeholder}
          className={look({ grow: true, shrink: true })}
          type="text"
          inputMode="url"
          maxLength={MEDIA_ADDRESS_CHARACTERS}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {!readOnly && (
          <Button
            ref={button}
            leftSection={<IconPhoto size={15} aria-hidden="true" />}
            aria-expanded={isChoosing}
            aria-label={`Choose image for ${name}`}
            onClick={() => setChoosing(!isChoosing)}
          >
            Choose
          </Button>
        )}
      </Row>
      {isChoosing && <ImagePicker projectId={projectId} chosen={value} onChoose={choose} />}
    </>
  );
}

function ImagePicker({
  projectId,
  chosen,
  onChoose,
}: {
  projectId: string;
  chosen: string;
  onChoose: (image: Image) => void;
}) {
  const query = useQuery(imagesQuery(projectId));
  const [wanted, setWanted] = useState("");
  if (query.isPending) return <Loader size={16} className={look({ mt: 10 })} aria-label="Loading images" />;
  if (query.data === undefined) {
    return (
      <ErrorState message={messageOf(query.error, "Failed to fetch images.")} onRetry={() => void query.refetch()} />
    );
  }
  if (query.data.length === 0) {
    return (
      <Text size="s" tone="ink-3">
        The image library is empty. Upload an image under Images, or enter a URL.
      </Text>
    );
  }
  const shown = query.data.filter(({ key }) => key.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <Stack
      as="section"
      gap={8}
      p={8}
      mt={8}
      fill="sunken"
      border="line"
      radius="s"
      scroll
      maxH={270}
      className={classes["picker"]}
      aria-label="Image library"
    >
      {query.data.length > FEW && (
        <TextInput
          size="sm"
          type="search"
          aria-label="Filter images"
          placeholder="Filter images"
          value={wanted}
          // Enter would send the item.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <Grid fit={104} as="ul" gap={8}>
        {shown.map((image) => (
          <li key={image._id}>
            <button
              className={look({
                layout: "stack",
                gap: 4,
                full: true,
                fill: "surface",
                border: "line",
                radius: "s",
                tone: "ink-2",
                pointer: true,
              })}
              type="button"
              aria-pressed={chosen === `/media/${projectId}/${image.key}`}
              title={image.key}
              onClick={() => onChoose(image)}
            >
              <img
                className={look({ full: true, fill: "sunken", radius: "xs" })}
                src={pictureOf(`/media/${projectId}/${image.key}`, 256) ?? ""}
                alt=""
                loading="lazy"
              />
              <Text as="span" truncate>
                {image.key}
              </Text>
            </button>
          </li>
        ))}
      </Grid>
      {shown.length === 0 && (
        <Text size="s" tone="ink-3">
          No image has “{wanted}” in its key.
        </Text>
      )}
    </Stack>
  );
}
