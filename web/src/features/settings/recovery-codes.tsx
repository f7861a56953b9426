/** Recovery codes, which the server shows once: to copy, to download, to print. */
import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { copyText } from "@/ui/copy-button";
import { Notice } from "@/ui/notice";
import { Grid, Row, Stack } from "@/ui/parts";
import styles from "./two-factor.module.css";

const FILE = "livery-recovery-codes.txt";

export function RecoveryCodes({ codes, email, onDone }: { codes: string[]; email: string; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const text = codes.join("\n");
  const download = () => {
    const heading = `Recovery codes of Livery for ${email} at ${window.location.host}. Each works once.`;
    const url = URL.createObjectURL(new Blob([`${heading}\n\n${text}\n`], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = FILE;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Stack gap={16} grow shrink>
      <Notice tone="warn">
        These codes are shown once. Keep them where you find them without your phone: each logs you in once without it.
      </Notice>
      <div className={styles["codes"]}>
        <p className={styles["heading"]}>
          Recovery codes of Livery for {email} at {window.location.host}
        </p>
        <Grid
          as="ul"
          aria-label="Recovery codes"
          gap={6}
          gapX={16}
          px={14}
          py={12}
          fill="sunken"
          border="line"
          radius="s"
          mono
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Grid>
      </div>
      <Row wrap align="center" gap={8}>
        <Button size="xs" data-autofocus onClick={() => void copyText(text, "Recovery codes copied!")}>
          Copy
        </Button>
        <Button size="xs" onClick={download}>
          Download
        </Button>
        <Button size="xs" onClick={() => window.print()}>
          Print
        </Button>
      </Row>
      <Checkbox label="I have kept them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Row wrap justify="end" gap={8}>
        <Button variant="filled" disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </Row>
    </Stack>
  );
}
