/** Lines above the page for texts whose key, or whole screen, somebody else has deleted: what was typed is not lost. */
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import toast from "react-hot-toast";
import { useLocation, useNavigate, useParams } from "react-router";
import { listed } from "@/lib/counted";
import { useLanguageNames } from "@/lib/languages";
import { useTouchedBy } from "@/lib/live-marks";
import { may } from "@/lib/project";
import { projectQuery } from "@/lib/queries";
import { copyText } from "@/ui/copy-button";
import { focusPageIfStaysLost, isFocusLost } from "@/ui/focus";
import { Notice } from "@/ui/notice";
import { Box, Row } from "@/ui/parts";
import type { Edit } from "./edit";
import { useAddKey } from "./key-writes";
import { dropRecord, textsKnown } from "./queries";
import { useOutbox } from "./use-outbox";

export function GoneTexts({ edits }: { edits: readonly Edit[] }) {
  const keyIds = [...new Set(edits.map(({ keyId }) => keyId))];
  return keyIds.map((keyId) => (
    <div key={keyId} data-stays="">
      <GoneKey keyId={keyId} edits={edits.filter((edit) => edit.keyId === keyId)} />
    </div>
  ));
}

/** Offers to create a deleted key again with all of its texts. The texts are kept together or discarded together. */
function GoneKey({ keyId, edits }: { keyId: string; edits: readonly Edit[] }) {
  const { projectId = "" } = useParams();
  const { data: project } = useQuery(projectQuery(projectId));
  const outbox = useOutbox();
  const nameOf = useLanguageNames();
  const [{ screen, keyName } = { screen: "", keyName: "" }] = edits;
  const add = useAddKey({ projectId, screen });
  const by = useTouchedBy(projectId, screen, keyName) ?? "Somebody";
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const known = useRef<Record<string, string>>({});
  const [isAdding, setAdding] = useState(false);
  // The focus went with the cell. Who is elsewhere by now stays there.
  const [takesFocus] = useState(isFocusLost);
  if (project === undefined) return null;
  const hasScreen = project.tabs.includes(screen);
  const isOne = edits.length === 1;
  const discard = () => {
    for (const edit of edits) outbox.discard(edit);
  };
  const create = async () => {
    setAdding(true);
    // A second try uses the texts that the first try found: they have left the query cache since.
    known.current = { ...known.current, ...textsKnown(client, projectId, screen, keyId) };
    dropRecord(client, projectId, screen, keyId);
    const typed = Object.fromEntries(edits.map(({ language, text }) => [language, text]));
    const texts = Object.assign({}, known.current, ...edits.map((edit) => edit.known), typed);
    const codes = project.languages.filter((code) => code in typed || Boolean(texts[code]));
    try {
      await add(keyName, Object.fromEntries(codes.map((code) => [code, texts[code]])));
      if (pathname === `/projects/${projectId}/${screen}`) {
        const params = new URLSearchParams(search);
        params.set("scrollTo", keyName);
        const state = { foundIn: edits[0]?.language };
        void navigate({ search: `${params}` }, { replace: true, preventScrollReset: true, state });
      }
      discard();
      const names = listed(codes.map((code) => nameOf(code).name));
      const what = codes.every((code) => code in typed)
        ? `your ${names} ${isOne ? "text" : "texts"}`
        : `its texts in ${names}`;
      const only = codes.length < project.languages.length ? " only" : "";
      toast.success(`${screen}.${keyName} was created again with ${what}${only}.`);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "Failed to add key");
    } finally {
      setAdding(false);
    }
  };
  return (
    <Notice
      tone="bad"
      takesFocus={takesFocus}
      action={
        <Row as="span" wrap gap={6}>
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
          <Button
            size="xs"
            variant="subtle"
            onClick={() => {
              discard();
              focusPageIfStaysLost();
            }}
          >
            Discard {isOne ? "the text" : "the texts"}
          </Button>
        </Row>
      }
    >
      {hasScreen
        ? `${by} deleted ${screen}.${keyName}`
        : `Somebody deleted the screen ${screen} with the key ${keyName}`}{" "}
      before your text was saved. It is kept on this device:
      {edits.map(({ language, text }) => (
        <Box
          as="bdi"
          key={language}
          layout="block"
          mt={4}
          scroll
          weight={400}
          tone="ink"
          space="pre-wrap"
          breaks
          maxH={88}
          lang={language}
          dir={nameOf(language).direction}
        >
          {text === "" ? "(no text)" : text}
        </Box>
      ))}
    </Notice>
  );
}
