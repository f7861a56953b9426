/** A preview link that was just made: to open, to copy, and for the camera of a phone; until when it works. */
import { Button } from "@mantine/core";
import type { Answer } from "@/lib/api-types";
import { formatTime, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { CopyButton } from "@/ui/copy-button";
import { IconExternalLink } from "@/ui/icons";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { QrPicture } from "@/ui/qr-picture";
import classes from "./preview.module.css";

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

export type PreviewLink = Answer<"/api/projects/{projectId}/preview-links", "post">;

export function PreviewLinkView({ link: { url, expiresAt } }: { link: PreviewLink }) {
  const now = useNow();
  const isOver = Date.parse(expiresAt) <= now;
  const isHere = LOOPBACK.test(new URL(url).hostname);
  if (isOver) return <Notice tone="plain">This link has ended. Make a new link.</Notice>;
  return (
    <Row
      as="section"
      align="start"
      gap={16}
      p={14}
      fill="sunken"
      border="line"
      radius="m"
      className={classes["link"]}
      aria-label="Preview link"
    >
      {!isHere && <QrPicture text={url} label="QR code of the preview link" />}
      <Stack align="start" gap={10} grow shrink className={classes["beside"]}>
        <Text size="s" tone="ink-3">
          {isHere
            ? "This address is this computer's own: a phone can't reach it. Enter the computer's address in your network to open the app there."
            : "Point the phone's camera here, or send the link."}
        </Text>
        <Row
          align="center"
          justify="between"
          gap={6}
          full
          fill="paper"
          border="line"
          radius="m"
          className={classes["url"]}
        >
          <code className={look({ tone: "ink", truncate: true, mono: true })}>{url}</code>
          <CopyButton value={url} label="Copy the link" copied="Link copied!" />
        </Row>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={15} stroke={1.7} aria-hidden="true" />}
        >
          Open the app
        </Button>
        <Text size="s" tone="ink-3">
          Works until <time dateTime={expiresAt}>{formatTime(expiresAt)}</time> ({relativeTime(expiresAt, now)}), as
          long as you may publish here. Whoever has the link sees the draft.
        </Text>
      </Stack>
    </Row>
  );
}
