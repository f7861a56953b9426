import { Progress } from "@mantine/core";
import { look } from "@/ui/look";
import { Grid } from "@/ui/parts";
import type { UploadPhase } from "./queries";

/** Shows how much of an upload is sent, and then that the server works on it. */
export function Sending({ phase }: { phase: UploadPhase }) {
  const percent = phase.name === "sending" ? Math.floor(phase.share * 100) : 100;
  const text = phase.name === "sending" ? `Uploading… ${percent} %` : "Processing…";
  return (
    <Grid gap={6}>
      <Progress value={percent} size="sm" animated={phase.name === "processing"} aria-label="Upload progress" />
      <p className={look({ size: "s", tone: "ink-2", num: true })} role="status">
        {text}
      </p>
    </Grid>
  );
}
