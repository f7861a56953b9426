/** The address of an image or a file: written, or chosen from the project's images. */
import { Button, Loader, TextInput, type TextInputProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { messageOf } from "@/lib/api";
import { pictureOf } from "@/lib/store-values";
import { IconPhoto } from "@/ui/icons";
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
      <div className={classes["mediaLine"]}>
        {picture !== null && <Thumbnail src={picture} size={34} />}
        <TextInput
          {...input}
          readOnly={readOnly}
          placeholder={placeholder}
          className={classes["mediaInput"]}
          type="text"
          inputMode="url"
          maxLength={2_000}
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
      </div>
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
  if (query.isPending) return <Loader size={16} className={classes["loading"] ?? ""} aria-label="Loading images" />;
  if (query.data === undefined) {
    return (
      <ErrorState message={messageOf(query.error, "Failed to fetch images.")} onRetry={() => void query.refetch()} />
    );
  }
  if (query.data.length === 0) {
    return <p className={classes["none"]}>The image library is empty. Upload an image under Images, or enter a URL.</p>;
  }
  const shown = query.data.filter(({ key }) => key.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <section className={classes["picker"]} aria-label="Image library">
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
      <ul>
        {shown.map((image) => (
          <li key={image._id}>
            <button
              type="button"
              aria-pressed={chosen === `/media/${projectId}/${image.key}`}
              title={image.key}
              onClick={() => onChoose(image)}
            >
              <img src={pictureOf(`/media/${projectId}/${image.key}`, 256) ?? ""} alt="" loading="lazy" />
              <span>{image.key}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={classes["none"]}>No image has “{wanted}” in its key.</p>}
    </section>
  );
}
