/** The text of a key in one language: shown, edited in place, with its warnings below. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { isCopy } from "@/lib/text-checks";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import { useCellAi } from "./ai-parts";
import { CellEditor, type OpenText } from "./cell-editor";
import { ChangedMeanwhile } from "./changed-meanwhile";
import { ClampedText } from "./clamped-text";
import { Doubt } from "./doubt";
import type { Edit } from "./edit";
import { pendingText } from "./filters";
import classes from "./grid.module.css";
import { type Grid, useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useOutbox } from "./use-outbox";

/** The words on the buttons of doubts. */
const IS_MEANT = "Right as it is";
const STILL_RIGHT = "Still right";

const conflict = later(async () => (await import("./conflict")).Conflict, null);

export interface CellPlace {
  column: number;
  isActive: boolean;
  isTabStop: boolean;
}

export function ValueCell({
  record,
  language,
  edit,
  warningFor,
  isOutdated,
  isEditing,
  seen,
  typed,
  column,
  isActive,
  isTabStop,
}: CellPlace & {
  record: KeyRecord;
  language: string;
  edit: Edit | undefined;
  /** Returns the warning about a text of this cell, or null. */
  warningFor: (text: string) => string | null;
  /** The text that it translates was changed after it. */
  isOutdated: boolean;
  isEditing: boolean;
  seen: string;
  typed: string | null;
}) {
  const grid = useGrid();
  const outbox = useOutbox();
  const name = grid.nameOf(language);
  const text = pendingText(edit, record, language);
  const warning = isEditing ? null : warningFor(text);
  const canEdit = !grid.isReadOnly && edit?.status !== "conflict";

  const outdatedText = `The ${grid.nameOf(grid.columns.source).name} text was changed after this text.`;
  const { source } = grid.columns;
  const isMeant = edit === undefined && language !== source && isCopy(outbox.textOf(record, source), text);
  const doubt = { record, language, isActive };
  // Who sees a button in the cell can call the cell by all that it shows.
  const button = (word: string) => !grid.isReadOnly && word;
  const shownText = text === "" ? missingText(record, language, grid) : text;
  const openByClick = () => {
    // Marking a part of the text to copy it is no wish to edit.
    if (canEdit && !isEditing && window.getSelection()?.isCollapsed !== false) grid.open(record, language);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and F2 are the grid's, which knows the current cell.
    <div
      className={look({ touch: true }, classes["cell"])}
      role="gridcell"
      tabIndex={isEditing ? undefined : isTabStop ? 0 : -1}
      data-column={column}
      aria-readonly={!canEdit}
      aria-label={
        isEditing
          ? undefined
          : [
              `${record.key}, ${name.name}: ${shownText}`,
              warning,
              warning !== null && isMeant && button(IS_MEANT),
              isOutdated && outdatedText,
              isOutdated && button(STILL_RIGHT),
            ]
              .filter(Boolean)
              .join(" ")
      }
      data-editing={isEditing || undefined}
      onFocus={(event) => {
        if (event.target === event.currentTarget) grid.noteFocus(record._id, column);
      }}
      onClick={openByClick}
    >
      {isEditing ? (
        <CellEditor
          initial={typed || seen}
          isSelected={typed === ""}
          language={name}
          label={`${record.key} in ${name.name}`}
          warningFor={warningFor}
          note={(giveUp) => <ChangedMeanwhile record={record} language={name} seen={seen} onGiveUp={giveUp} />}
          tools={(open) => <Tools record={record} language={language} open={open} warningFor={warningFor} />}
          onTyped={(typed) => outbox.keepTyping(record, language, seen, typed)}
          onCommit={(typed) => grid.write(record, language, seen, typed)}
          onLeave={(how) => grid.leave(record, language, how)}
        />
      ) : edit?.status === "conflict" ? (
        <conflict.Part edit={edit} />
      ) : text === "" ? (
        <Text as="span" tone="ink-3" className={classes["missing"]}>
          {shownText}
        </Text>
      ) : (
        <ClampedText text={text} language={name} reachable={isActive} />
      )}
      {warning !== null && edit?.status !== "conflict" && (
        <>
          {" "}
          {isMeant ? (
            <Doubt {...doubt} text={warning} word={IS_MEANT} />
          ) : (
            <Text mt={6} size="note" leading={140} tone="warn">
              {warning}
            </Text>
          )}
        </>
      )}
      {isOutdated && !isEditing && <Doubt {...doubt} text={outdatedText} word={STILL_RIGHT} />}
      {edit?.status === "refused" && !isEditing && (
        <p className={look({ mt: 6, size: "note", leading: 140, tone: "bad" })} role="alert">
          {edit.message ?? "This text was typed here and never saved."}
        </p>
      )}
    </div>
  );
}

function Tools({
  record,
  language,
  open,
  warningFor,
}: {
  record: KeyRecord;
  language: string;
  open: OpenText;
  warningFor: (text: string) => string | null;
}) {
  const grid = useGrid();
  const outbox = useOutbox();
  const ai = useCellAi();
  if (ai === null) return null;
  const { CellTools, isMultilingual, reason, translateKey } = ai;
  const { source } = grid.columns;
  return (
    <CellTools
      projectId={grid.projectId}
      screen={grid.screen}
      language={grid.nameOf(language)}
      source={language === source ? null : grid.nameOf(source)}
      sourceText={outbox.textOf(record, source)}
      text={open.text}
      warningFor={warningFor}
      isMultilingual={isMultilingual}
      reason={reason}
      onUse={open.use}
      onTranslateKey={() => {
        if (open.save()) translateKey(record.key, open.text);
      }}
      handle={open.keys}
    />
  );
}

/** What apps show instead, as delivery resolves it: the language's own parents, then the default language. */
function missingText(record: KeyRecord, language: string, grid: Grid): string {
  const { source } = grid.columns;
  const parts = language.split("-");
  const parents = parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join("-"));
  const shown = [...parents, source].find((candidate) => candidate !== language && Boolean(record.values[candidate]));
  if (shown !== undefined) return `Missing. Apps show the ${grid.nameOf(shown).name} text.`;
  return language === source
    ? "Missing. Apps show what they were built with."
    : `Missing, as is the ${grid.nameOf(source).name} text.`;
}
