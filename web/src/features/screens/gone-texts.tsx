/** Lines above the page for texts whose key, or whole screen, somebody else has deleted: what was typed is not lost. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { useParams } from "react-router";
import { useLanguageNames } from "@/lib/languages";
import { useTouchedBy } from "@/lib/live-marks";
import { may } from "@/lib/project";
import { projectQuery } from "@/lib/queries";
import { copyText } from "@/ui/copy-button";
import { Notice } from "@/ui/notice";
import classes from "./gone-texts.module.css";
import { useAddKey } from "./key-writes";
import type { Edit } from "./outbox";
import { useOutbox } from "./unsaved-edits";

export function GoneTexts({ edits }: { edits: readonly Edit[] }) {
  const keyIds = [...new Set(edits.map(({ keyId }) => keyId))];
  return keyIds.map((keyId) => <GoneKey key={keyId} edits={edits.filter((edit) => edit.keyId === keyId)} />);
}

/** All texts of one key: it is created again with all of them, or none of them is kept. */
function GoneKey({ edits }: { edits: readonly Edit[] }) {
  const { projectId = "" } = useParams();
  const { data: project } = useQuery(projectQuery(projectId));
  const outbox = useOutbox();
  const nameOf = useLanguageNames();
  const [{ screen, keyName } = { screen: "", keyName: "" }] = edits;
  const add = useAddKey({ projectId, screen });
  const by = useTouchedBy(projectId, screen, keyName) ?? "Somebody";
  const [isAdding, setAdding] = useState(false);
  if (project === undefined) return null;
  const hasScreen = project.tabs.includes(screen);
  const isOne = edits.length === 1;
  const discard = () => {
    for (const edit of edits) outbox.discard(edit);
  };
  const create = async () => {
    setAdding(true);
    try {
      await add(keyName, Object.fromEntries(edits.map(({ language, text }) => [language, text])));
      discard();
      toast.success(`${screen}.${keyName} is there again, with your text.`);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "Failed to add key");
    } finally {
      setAdding(false);
    }
  };
  return (
    <Notice
      tone="bad"
      action={
        <span className={classes["actions"]}>
          <Button
            size="xs"
            onClick={() =>
              void copyText(edits.map(({ text }) => text).join("\n"), isOne ? "Text copied" : "Texts copied")
            }
          >
            Copy {isOne ? "the text" : "the texts"}
          </Button>
          {hasScreen && may(project, "edit") && (
            <Button size="xs" loading={isAdding} onClick={() => void create()}>
              Create the key again
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={discard}>
            Discard {isOne ? "the text" : "the texts"}
          </Button>
        </span>
      }
    >
      {hasScreen
        ? `${by} deleted ${screen}.${keyName}`
        : `Somebody deleted the screen ${screen} with the key ${keyName}`}{" "}
      before your text was saved. It is kept on this device:
      {edits.map(({ language, text }) => (
        <bdi key={language} className={classes["text"]} lang={language} dir={nameOf(language).direction}>
          {text === "" ? "(no text)" : text}
        </bdi>
      ))}
    </Notice>
  );
}
