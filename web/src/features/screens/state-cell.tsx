/** The state of a key: unsent, to be checked, unpublished, or published. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { UnstyledButton } from "@mantine/core";
import type { MouseEvent } from "react";
import { Badge } from "@/ui/badge";
import { focusCellOf } from "@/ui/focus";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import { Renamed } from "@/ui/renamed";
import type { Edit } from "./edit";
import { isByAi, isOutdated, isPseudo, shownState } from "./filters";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useOutbox } from "./use-outbox";
import type { CellPlace } from "./value-cell";

const states = {
  empty: { tone: "plain", word: "No text yet", title: "Apps get this key when it has a text." },
  new: { tone: "ok", word: "New", title: "Apps get this key with the next publish." },
  changed: { tone: "warn", word: "Changed", title: "Apps get the change with the next publish." },
  published: { tone: "quiet", word: "Published", title: "Apps have this." },
  elsewhere: {
    tone: "quiet",
    word: "Published",
    title: "Apps have these texts. Others of this key, in languages that are not shown, wait for the next publish.",
  },
} as const;

export function StateCell({
  record,
  edits,
  needsCheck,
  column,
  isTabStop,
}: CellPlace & { record: KeyRecord; edits: readonly (Edit | undefined)[]; needsCheck: boolean }) {
  const grid = useGrid();
  const present = edits.filter((edit) => edit !== undefined);
  const unsaved = present.find((edit) => edit.status === "refused" || edit.status === "waiting");
  const state = states[shownState(record, grid.columns)];
  return (
    <div
      className={look(
        { layout: "row", wrap: true, align: "start", gap: 6, size: "xs", lineH: 20, smallPt: 4 },
        classes["state"],
      )}
      role="gridcell"
      tabIndex={isTabStop ? 0 : -1}
      data-column={column}
      aria-readonly="true"
      onFocus={(event) => {
        if (event.target === event.currentTarget) grid.noteFocus(record._id, column);
      }}
    >
      {unsaved !== undefined ? (
        <NotSaved edit={unsaved} />
      ) : present.some((edit) => edit.status === "conflict") ? (
        <Badge tone="bad">Conflict</Badge>
      ) : present.some((edit) => edit.status === "saving") ? (
        <Text as="span" tone="ink-3">
          Saving…
        </Text>
      ) : present.some((edit) => edit.status === "saved") ? (
        <Text as="span" weight={500} tone="ok">
          Saved
        </Text>
      ) : (
        <>
          {needsCheck && <Badge tone="bad">Check</Badge>}
          {isByAi(record, grid.columns) && <Badge tone="ai">{isPseudo(record, grid.columns) ? "Pseudo" : "AI"}</Badge>}
          {isOutdated(record, grid.columns) && <Badge tone="warn">Outdated</Badge>}
          {record.renamedFrom !== null ? (
            <Renamed from={record.renamedFrom} />
          ) : (
            <span title={state.title}>
              <Badge tone={state.tone}>{state.word}</Badge>
            </span>
          )}
        </>
      )}
    </div>
  );
}

function NotSaved({ edit }: { edit: Edit }) {
  const outbox = useOutbox();
  /** The buttons go away with what they do: the focus stays in their cell. */
  const settle = (act: (edit: Edit) => void) => (event: MouseEvent<HTMLElement>) => {
    focusCellOf(event.currentTarget);
    act(edit);
  };
  return (
    <>
      <Text as="span" weight={500} tone="bad" space="nowrap">
        Not saved.{" "}
        <UnstyledButton
          className={look({ touch: true, tone: "inherit", underline: true }, classes["retry"])}
          onClick={settle((refused) => outbox.again(refused))}
          aria-label={`Retry saving ${edit.keyName}`}
        >
          Retry
        </UnstyledButton>
      </Text>
      {edit.status === "refused" && (
        <Text as="span" weight={500} tone="bad" space="nowrap">
          <UnstyledButton
            className={look({ touch: true, tone: "inherit", underline: true }, classes["retry"])}
            onClick={settle((refused) => outbox.discard(refused))}
            aria-label={`Discard the unsaved text of ${edit.keyName}`}
          >
            Discard
          </UnstyledButton>
        </Text>
      )}
    </>
  );
}
