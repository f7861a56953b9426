/** One image of the library with what can be done to it. */
import { ActionIcon, Button, Tooltip, UnstyledButton } from "@mantine/core";
import { formatBytes } from "@/lib/bytes";
import { copyText } from "@/ui/copy-button";
import { IconLink, IconPencil, IconTrash } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Heading, Row, Stack, Text } from "@/ui/parts";
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
    <Stack as="li" surface clip className={classes["card"]} data-image={image._id}>
      {onEdit === undefined ? (
        picture
      ) : (
        // The keyboard has the pencil for that.
        <UnstyledButton tabIndex={-1} title="Edit" className={look({ layout: "block", full: true })} onClick={onEdit}>
          {picture}
        </UnstyledButton>
      )}
      <Box grow px={14} pt={12} pb={8} lineAbove className={classes["text"]}>
        <Heading clamp={2} breaks className={classes["key"]} title={key}>
          {key}
        </Heading>
        <Text mt={2} size="xs" tone="ink-3" num>
          {dimensionsOf(image)} · {formatBytes(image.bytes)} · {formatOf(image)}
        </Text>
        <Text mt={2} size="xs" tone="ink-3">
          Changed <RelativeTime moment={image.updatedAt} />
        </Text>
      </Box>
      <Row align="center" gap={2} px={6} py={4} lineAbove className={classes["actions"]}>
        <Button
          size="xs"
          variant="subtle"
          className={look({ me: "auto" })}
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
      </Row>
    </Stack>
  );
}
