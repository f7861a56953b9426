/** A preview link that was just made: to open, to copy, and for the camera of a phone; until when it works. */
import { Button } from "@mantine/core";
import type { Answer } from "@/lib/api-types";
import { formatTime, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { CopyButton } from "@/ui/copy-button";
import { IconExternalLink } from "@/ui/icons";
import { Notice } from "@/ui/notice";
import { QrPicture } from "@/ui/qr-picture";
import classes from "./preview.module.css";

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

export type PreviewLink = Answer<"/api/projects/{projectId}/preview-links", "post">;

export function PreviewLinkView({ link: { url, expiresAt } }: { link: PreviewLink }) {
  const now = useNow();
  const isOver = Date.parse(expiresAt) <= now;
  const isHere = LOOPBACK.test(new URL(url).hostname);
  if (isOver) return <Notice tone="plain">This link has ended. Make a new one.</Notice>;
  return (
    <section className={classes["link"]} aria-label="Preview link">
      {!isHere && <QrPicture text={url} label="QR code of the preview link" />}
      <div className={classes["beside"]}>
        <p className={classes["hint"]}>
          {isHere
            ? "This address is this computer's own: a phone can't reach it. Enter the computer's address in your network to open the app there."
            : "Point the phone's camera here, or send the link."}
        </p>
        <div className={classes["url"]}>
          <code className="mono">{url}</code>
          <CopyButton value={url} label="Copy the link" copied="Link copied!" />
        </div>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={15} stroke={1.7} aria-hidden="true" />}
        >
          Open the app
        </Button>
        <p className={classes["hint"]}>
          Works until <time dateTime={expiresAt}>{formatTime(expiresAt)}</time> ({relativeTime(expiresAt, now)}), as
          long as you may publish here. Whoever has the link sees the draft.
        </p>
      </div>
    </section>
  );
}
