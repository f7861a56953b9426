/** One image of the library with what can be done to it. */
import { ActionIcon, Button, Tooltip, UnstyledButton } from "@mantine/core";
import { formatBytes } from "@/lib/bytes";
import { copyText } from "@/ui/copy-button";
import { IconLink, IconPencil, IconTrash } from "@/ui/icons";
import { RelativeTime } from "@/ui/relative-time";
import classes from "./image-card.module.css";
import { dimensionsOf, formatOf } from "./image-files";
import { Picture } from "./picture";
import type { ImageRecord } from "./queries";

export function ImageCard({
  image,
  onEdit,
  onDelete,
}: {
  image: ImageRecord;
  /** Absent for who may not. */
  onEdit?: () => void;
  onDelete?: () => void;
}) {
  const { key, url } = image;
  const picture = <Picture image={image} alt={key} />;
  return (
    <li className={classes["card"]} data-image={image._id}>
      {onEdit === undefined ? (
        picture
      ) : (
        // The keyboard has the pencil for that.
        <UnstyledButton tabIndex={-1} title="Edit" className={classes["picture"] ?? ""} onClick={onEdit}>
          {picture}
        </UnstyledButton>
      )}
      <div className={classes["text"]}>
        <h2 className={classes["key"]} title={key}>
          {key}
        </h2>
        <p className={`${classes["facts"]} num`}>
          {dimensionsOf(image)} · {formatBytes(image.bytes)} · {formatOf(image)}
        </p>
        <p className={classes["facts"]}>
          Changed <RelativeTime moment={image.updatedAt} />
        </p>
      </div>
      <div className={classes["actions"]}>
        <Button
          size="xs"
          variant="subtle"
          className={classes["copy"] ?? ""}
          leftSection={<IconLink size={14} aria-hidden="true" />}
          aria-label={`Copy URL of ${key}`}
          onClick={() => void copyText(url, "URL copied to clipboard!")}
        >
          Copy URL
        </Button>
        {onEdit !== undefined && (
          <Tooltip label="Edit">
            <ActionIcon size={28} aria-label={`Edit ${key}`} data-pencil onClick={onEdit}>
              <IconPencil size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        )}
        {onDelete !== undefined && (
          <Tooltip label="Delete">
            <ActionIcon size={28} aria-label={`Delete ${key}`} onClick={onDelete}>
              <IconTrash size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </li>
  );
}
