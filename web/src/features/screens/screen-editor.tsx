/** The loaded screen: toolbar, grid, and the row that adds keys. */
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { may, refusals } from "@/lib/project";
import { LARGE } from "@/ui/breakpoints";
import { IconPlus } from "@/ui/icons";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box } from "@/ui/parts";
import { type AddKeyHandle, AddKeyRow } from "./add-key-row";
import { type AiParts, CellAiProvider } from "./ai-parts";
import { type Columns, type Filter, isFilter, percentOf, useShownIds } from "./filters";
import { GridToolbar } from "./grid-toolbar";
import { LanguagePicker } from "./language-picker";
import type { KeyRecord } from "./queries";
import classes from "./screen-editor.module.css";
import { TranslationGrid } from "./translation-grid";
import { useAiOffer } from "./use-ai-offer";
import { useHighlight } from "./use-highlight";
import { useOutbox } from "./use-outbox";
import { useNeedsCheck } from "./warnings";

/** What the editor needs to know of its project. */
export type EditedProject = Pick<Project, "projectId" | "languages" | "defaultLanguage" | "permissions">;

export function ScreenEditor({
  project,
  screen,
  records,
  progress,
  target,
  isSwitching,
  onTarget,
  addLanguage,
  history,
  ai,
}: {
  project: EditedProject;
  screen: string;
  records: readonly KeyRecord[];
  /** How many keys have a text, by language. */
  progress: Readonly<Record<string, number>>;
  target: string | undefined;
  /** Another language was chosen and is on its way. */
  isSwitching: boolean;
  onTarget: (code: string) => void;
  addLanguage: ReactNode;
  /** The button that opens the versions of the screen. */
  history: ReactNode;
  /** What AI adds, where its project is known. */
  ai: { parts: AiParts; project: Project } | null;
}) {
  const { projectId, defaultLanguage: source } = project;
  const outbox = useOutbox();
  const nameOf = useLanguageNames();
  const columns = useMemo<Columns>(() => ({ source, target }), [source, target]);
  const [filter, setFilter] = useFilter();
  const [query, setQuery] = useState("");
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const page = useRef<HTMLDivElement>(null);
  const openKey = useRef<string | null>(null);
  const addRow = useRef<AddKeyHandle>(null);
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  const { highlighted, found } = useHighlight(records);
  const kept = highlighted === null ? added : new Set([...added, highlighted]);
  const textOf = (record: KeyRecord, language: string) => outbox.textOf(record, language);
  const needsCheck = useNeedsCheck(columns, nameOf, textOf);
  const shownIds = useShownIds(records, filter, useDeferredValue(query), columns, textOf, needsCheck, kept, round);
  const isReadOnly = !may(project, "edit");
  const offer = useAiOffer({ ai, screen, onFocusReturn: () => addRow.current?.focus() });

  const picker =
    target === undefined ? null : (
      <LanguagePicker
        languages={project.languages.filter((code) => code !== source)}
        value={target}
        nameOf={nameOf}
        percentOf={(code) => percentOf(progress[code] ?? 0, records.length)}
        isBusy={isSwitching}
        onChange={onTarget}
      />
    );
  const emptyText =
    records.length > 0 ? (
      <>
        <p>
          {query.trim() === "" ? nothingLeft[filter] : `No key or text of this screen has “${query.trim()}” in it.`}
        </p>
        <Button
          mt={12}
          onClick={() => {
            setFilter("all");
            setQuery("");
          }}
        >
          Show all keys
        </Button>
      </>
    ) : isReadOnly ? (
      <p>This screen has no texts yet.</p>
    ) : (
      <>
        <p>
          No texts here yet. Name the first key below and write its {nameOf(source).name} text: apps read it as{" "}
          <code className="mono">{screen}.key</code>.
        </p>
        <Button mt={12} component={Link} to={`/projects/${projectId}/import-texts`}>
          Import from files
        </Button>
      </>
    );
  return (
    <CellAiProvider value={offer.cell}>
      <Box ref={page} px={24} pb={24} smallPx={16} smallPt={0} smallPb={24} className={classes["page"]}>
        {isReadOnly && <Notice tone="plain">{refusals.edit}</Notice>}
        <GridToolbar
          records={records}
          columns={columns}
          needsCheck={needsCheck}
          filter={filter}
          onFilter={(next) => {
            // The same filter again brings it up to date: rows that no longer belong go.
            // The row of the open text stays, whatever the filter: what is half written is not saved.
            setAdded(new Set(openKey.current === null ? [] : [openKey.current]));
            setRound(round + 1);
            setFilter(next);
          }}
          query={query}
          onQuery={setQuery}
          onLeaveSearch={() => {
            const current = page.current?.querySelector<HTMLElement>('[role="grid"] [data-column][tabindex="0"]');
            if (current) current.focus();
            else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          }}
        >
          {!isLarge && picker}
          {history}
          {ai !== null && (
            <ai.parts.FillButton
              project={ai.project}
              screen={screen}
              target={target}
              className={look({ iconOnly: true })}
            />
          )}
          {!isReadOnly && (
            <>
              {addLanguage}
              <Button
                className={look({ iconOnly: true })}
                leftSection={<IconPlus size={15} stroke={1.7} aria-hidden="true" />}
                onClick={() => addRow.current?.focus()}
              >
                New key
              </Button>
            </>
          )}
        </GridToolbar>
        <TranslationGrid
          projectId={projectId}
          screen={screen}
          records={records}
          shownIds={shownIds}
          columns={columns}
          nameOf={nameOf}
          isReadOnly={isReadOnly}
          highlighted={highlighted}
          found={isSwitching ? null : found}
          picker={isLarge ? picker : null}
          emptyText={emptyText}
          openKey={openKey}
          footer={
            !isReadOnly && (
              <AddKeyRow
                projectId={projectId}
                screen={screen}
                source={nameOf(source)}
                autoFocus={records.length === 0}
                onAdded={(record) => {
                  setAdded((present) => new Set([...present, record._id]));
                  offer.noteAdded(record);
                }}
                handle={addRow}
                offer={offer.shown}
                onAcceptOffer={offer.accept}
              />
            )
          }
        />
      </Box>
    </CellAiProvider>
  );
}

const nothingLeft: Record<Filter, string> = {
  all: "",
  missing: "Nothing is missing: every key of this screen has its text.",
  changed: "This screen has no unpublished changes.",
  ai: "No text of this screen is as AI wrote it.",
  outdated: "Nothing is outdated: no text is older than the text that it translates.",
  check: "Nothing is wrong with the texts of this screen.",
};

/** Kept in the address, so that a colleague can be sent to what is missing. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("show");
  const choose = (filter: Filter) =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        if (filter === "all") next.delete("show");
        else next.set("show", filter);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [isFilter(wanted) ? wanted : "all", choose];
}
