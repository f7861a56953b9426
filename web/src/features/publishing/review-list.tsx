/** The changes of a review: removals, warnings, then screen by screen, colours and stores. */
import { useMemo } from "react";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { useLanguageNames } from "@/lib/languages";
import type { WholeLists } from "@/lib/use-whole-lists";
import type { Revealed } from "@/ui/diff-section";
import { DiffView } from "@/ui/diff-view";
import { Text } from "@/ui/parts";
import { type Ticks, TicksContext } from "@/ui/ticks";
import { WarningSummary } from "@/ui/warning-summary";
import { Removals } from "./removals";
import { REMOVALS } from "./review-entries";
import { partOf, warningsOf } from "./review-parts";
import type { Filter } from "./use-review-filter";
import type { Selection } from "./use-selection";

const empty: Record<Exclude<Filter, "all">, string> = {
  mine: "You did not make any of these changes.",
  check: "No change needs a check.",
  left: "Nothing is left out.",
};

export function ReviewList({
  project,
  diff,
  whole,
  selection,
  shown,
  filter,
  losses,
  revealed,
  onReveal,
  onTick,
  onTickSection,
  onDiscard,
}: {
  project: Project;
  diff: Diff;
  whole: WholeLists;
  selection: Selection;
  /** The changes that the filter shows; null for all. */
  shown: ReadonlySet<string> | null;
  filter: Filter;
  losses: Diff["losses"];
  revealed: Revealed | null;
  onReveal: (section: Revealed) => void;
  onTick: (refs: readonly string[], isOn: boolean) => void;
  onTickSection: (id: string, isOn: boolean, shown: ReadonlySet<string> | null) => void;
  onDiscard: ((ref: string, name: string) => void) | null;
}) {
  const nameOf = useLanguageNames();
  // The same object for every selection: what is ticked draws boxes and marks, not the texts.
  const listed = useMemo(() => {
    const part = {
      has: (ref: string | null | undefined) => shown === null || (!!ref && shown.has(ref)),
      hasText: () => true,
      hasUnlisted: () => shown === null,
    };
    const found = partOf(diff, part, true);
    return shown === null ? found : { ...found, warnings: warningsOf(found) };
  }, [diff, shown]);
  const ticks: Ticks = {
    stateOf: (ref) => selection.stateOf(ref),
    isOut: (ref) => selection.isOut(ref),
    fixedBy: (ref) => selection.fixedBy(ref),
    tick: (ref, isOn) => onTick([ref], isOn),
    sectionOf: (id) => selection.tallyOf(id, shown),
    tickSection: (id, isOn) => onTickSection(id, isOn, shown),
    discard: onDiscard,
  };
  const isEmpty = shown !== null && shown.size === 0;
  return (
    <TicksContext value={ticks}>
      <Removals
        diff={diff}
        total={selection.tallyOf(REMOVALS, shown)?.total ?? 0}
        losses={losses}
        languages={project.languages}
        nameOf={nameOf}
        shown={shown}
        revealed={revealed}
      />
      {filter === "all" && <WarningSummary places={diff.warnings} onReveal={onReveal} />}
      <DiffView diff={listed} project={project} warnings={listed.warnings} revealed={revealed} whole={whole} />
      {isEmpty && filter !== "all" && (
        <Text py={24} tone="ink-2" textAlign="center">
          {empty[filter]}
        </Text>
      )}
    </TicksContext>
  );
}
