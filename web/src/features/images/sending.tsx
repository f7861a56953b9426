import { Progress } from "@mantine/core";
import classes from "./image-dialog.module.css";
import type { UploadPhase } from "./queries";

/** Shows how much of an upload is sent, and then that the server works on it. */
export function Sending({ phase }: { phase: UploadPhase }) {
  const percent = phase.name === "sending" ? Math.floor(phase.share * 100) : 100;
  const text = phase.name === "sending" ? `Uploading… ${percent} %` : "Processing…";
  return (
    <div className={classes["progress"]}>
      <Progress value={percent} size="sm" animated={phase.name === "processing"} aria-label="Upload progress" />
      <p className="num" role="status">
        {text}
      </p>
    </div>
  );
}
