/** Shows why the text above may be wrong, with a button that confirms the text. */
import { UnstyledButton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, messageOf, take } from "@/lib/api";
import { trackWrite } from "@/lib/project";
import { focusCellOf } from "@/ui/focus";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { Place } from "./key-writes";
import { type KeyRecord, putCurrent, putRecord } from "./queries";

export function Doubt({
  record,
  language,
  text,
  word,
  isActive,
}: {
  record: KeyRecord;
  language: string;
  text: string;
  /** On the button. */
  word: string;
  isActive: boolean;
}) {
  const { projectId, screen, nameOf, isReadOnly } = useGrid();
  const confirm = useConfirmText({ projectId, screen });
  const [isPending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    try {
      await confirm(record, language);
    } catch (error) {
      toast.error(messageOf(error, "Failed to update key"));
    } finally {
      setPending(false);
    }
  };
  return (
    <Text mt={6} size="note" leading={140} tone="warn">
      {text}{" "}
      {!isReadOnly && (
        <UnstyledButton
          className={look({ touch: true, tone: "inherit", underline: true }, classes["retry"])}
          tabIndex={isActive ? 0 : -1}
          disabled={isPending}
          aria-label={`${record.key} in ${nameOf(language).name}: ${word}`}
          onClick={(event) => {
            event.stopPropagation();
            // The button disappears with the warning: the focus stays in its cell.
            focusCellOf(event.currentTarget);
            void send();
          }}
        >
          {word}
        </UnstyledButton>
      )}
    </Text>
  );
}

/** Records that a text is right although the text that it translates has changed. Throws as `take` does. */
function useConfirmText(place: Place): (record: KeyRecord, language: string) => Promise<void> {
  const client = useQueryClient();
  return async (record, language) => {
    const path = { projectId: place.projectId, tabName: place.screen, key: record.key };
    const body = { key: record.key, confirmed: [language], revision: record.revision };
    const call = take(api.PUT("/api/translations/{projectId}/{tabName}/{key}", { params: { path }, body }));
    try {
      putRecord(client, place.projectId, place.screen, await trackWrite(place.projectId, call));
    } catch (failure) {
      // Somebody changed the key first. Their version is shown, with its own warnings.
      if (putCurrent(client, place.projectId, place.screen, failure) === undefined) throw failure;
    }
  };
}
