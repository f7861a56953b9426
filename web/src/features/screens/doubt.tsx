/** Says why the text above may be wrong, as when it is older than the one it translates, and takes a person's word that it is right. */
import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import { useConfirmText } from "./key-writes";
import type { KeyRecord } from "./queries";

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
    <p className={classes["outdated"]}>
      {text}{" "}
      {!isReadOnly && (
        <UnstyledButton
          className={classes["retry"]}
          tabIndex={isActive ? 0 : -1}
          disabled={isPending}
          aria-label={`${record.key} in ${nameOf(language).name}: ${word}`}
          onClick={(event) => {
            event.stopPropagation();
            // The button disappears with the warning: the focus stays in its cell.
            event.currentTarget.closest<HTMLElement>("[role=gridcell]")?.focus();
            void send();
          }}
        >
          {word}
        </UnstyledButton>
      )}
    </p>
  );
}
