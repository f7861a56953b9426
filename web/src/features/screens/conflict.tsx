/** Shows both versions when two people wrote the same text, and lets the person choose a version. */
import { Button } from "@mantine/core";
import type { MouseEvent } from "react";
import { useTouchedBy } from "@/lib/live-marks";
import { focusCellOf } from "@/ui/focus";
import { look } from "@/ui/look";
import { Box, Grid, Row, Text } from "@/ui/parts";
import { ClampedText } from "./clamped-text";
import type { Edit } from "./edit";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import { useOutbox } from "./use-outbox";

export function Conflict({ edit }: { edit: Edit }) {
  const grid = useGrid();
  const outbox = useOutbox();
  const language = grid.nameOf(edit.language);
  const heard = useTouchedBy(grid.projectId, grid.screen, edit.keyName);
  const version = (title: string, text: string) => (
    <Grid gap={8} py={4} lineAbove className={classes["version"]}>
      <Text as="span" size="xs" tone="ink-3">
        {title}
      </Text>
      <div>{text === "" ? <em>no text</em> : <ClampedText text={text} language={language} reachable />}</div>
    </Grid>
  );
  /** The buttons go away with what they do: the focus stays in their cell. */
  const settle = (act: (edit: Edit) => void) => (event: MouseEvent<HTMLElement>) => {
    event.stopPropagation();
    focusCellOf(event.currentTarget);
    act(edit);
  };
  return (
    <Box
      as="fieldset"
      shrink
      p={0}
      m={0}
      border="none"
      className={classes["conflict"]}
      aria-label={`Two versions of ${edit.keyName}`}
    >
      <p className={look({ mb: 8, size: "note", leading: 140, tone: "bad" })} role="alert">
        {edit.by ?? heard ?? "Somebody else"} changed this text while you were editing it.
      </p>
      {version("Yours", edit.text)}
      {version("Theirs", edit.theirs ?? "")}
      <Row gap={6} mt={8}>
        <Button size="xs" onClick={settle((mine) => outbox.keepMine(mine))}>
          Keep mine
        </Button>
        <Button size="xs" onClick={settle((mine) => outbox.discard(mine))}>
          Use theirs
        </Button>
      </Row>
    </Box>
  );
}
