/** Shows, under an open editor, the text that somebody else wrote during the edit. The typed text stays as it is. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { LanguageName } from "@/lib/languages";
import { useTouchedBy } from "@/lib/live-marks";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useEdit } from "./use-outbox";

const SHOWN_CHARACTERS = 120;

export function ChangedMeanwhile({
  record,
  language,
  seen,
  onGiveUp,
}: {
  record: KeyRecord;
  language: LanguageName;
  /** The text with which the editor opened. */
  seen: string;
  /** Closes the editor without its text. */
  onGiveUp: () => void;
}) {
  const grid = useGrid();
  const theirs = record.values[language.code] ?? "";
  // The row may still show what it had before an earlier edit of one's own, which is on its way.
  const [atFirst] = useState(theirs);
  const ownEdit = useEdit(record._id, language.code);
  const by = useTouchedBy(grid.projectId, grid.screen, record.key) ?? "Somebody";
  const isNews = theirs !== atFirst && theirs !== seen && ownEdit === undefined;
  if (!isNews) return null;
  return (
    <p
      className={look(
        {
          layout: "row",
          wrap: true,
          align: "center",
          gap: 2,
          gapX: 8,
          mt: 8,
          size: "note",
          leading: 140,
          tone: "ink-2",
        },
        classes["meanwhile"],
      )}
      role="status"
      dir="ltr"
    >
      <span>
        {theirs === "" ? (
          <>{by} removed this text while you were typing.</>
        ) : (
          <>
            {by} changed this to{" "}
            <Text as="bdi" tone="ink" lang={language.code} dir={language.direction} title={theirs}>
              “{shortened(theirs)}”
            </Text>{" "}
            while you were typing.
          </>
        )}
      </span>
      <Button size="xs" tabIndex={-1} onMouseDown={(event) => event.preventDefault()} onClick={onGiveUp}>
        Use theirs
      </Button>
    </p>
  );
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= SHOWN_CHARACTERS ? text : `${characters.slice(0, SHOWN_CHARACTERS).join("")}…`;
}
