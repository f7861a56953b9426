/** A loaded review: its parts at the left, its changes with a tick box each, and the button that publishes what is ticked. */
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { useMe } from "@/lib/queries";
import { dialogFooter } from "@/ui/dialog-frame";
import type { Revealed } from "@/ui/diff-section";
import { focusInPlace, isFocusLost } from "@/ui/focus";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Row } from "@/ui/parts";
import { hasGrave } from "@/ui/value-warnings";
import { hasLosses } from "./losses";
import classes from "./publish-dialog.module.css";
import type { Reviewed } from "./publish-reviewed";
import { ReviewBar } from "./review-bar";
import { REMOVALS } from "./review-entries";
import { ReviewFooter } from "./review-footer";
import { ReviewList } from "./review-list";
import { lossesOf } from "./review-parts";
import { ReviewRail } from "./review-rail";
import { ReviewSummary } from "./review-summary";
import { focusBox, placeOfFocus, useArrows } from "./use-arrows";
import { useReviewDiscard } from "./use-review-discard";
import { useReviewFilter } from "./use-review-filter";
import { useReviewPublish } from "./use-review-publish";
import { useSelection } from "./use-selection";

export { OFFLINE } from "./use-review-publish";

export function ReviewedChanges({
  project,
  reviewed,
  diff,
  onClose,
  onPublished,
  onNoPlan,
}: {
  project: Project;
  reviewed: Reviewed;
  diff: Diff;
  onClose: () => void;
  onPublished: () => void;
  onNoPlan: () => void;
}) {
  const me = useMe().data?._id ?? "";
  const { selection, tick, tickSection, tickAll } = useSelection(diff);
  const { filter, shown, counts, choose } = useReviewFilter(diff, selection, me);
  const [revealed, reveal] = useState<Revealed | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const arrows = useArrows(list, tick);

  const focusTop = () => focusInPlace(top.current);
  const renew = (present?: Diff) => {
    reviewed.renew(present);
    reveal(null);
    // The button that was pressed is gone or at rest.
    focusTop();
    top.current?.scrollIntoView({ block: "start" });
  };
  const publishing = useReviewPublish({ project, diff, selection, reviewed, renew, onPublished, onNoPlan });
  const place = useRef(0);
  const [followed, setFollowed] = useState(0);
  const discarding = useReviewDiscard(project, diff, async () => {
    await reviewed.follow();
    publishing.dismiss();
    setFollowed((count) => count + 1);
  });
  useEffect(() => {
    // The row that had the focus may be gone with its change.
    const isLost = followed > 0 && isFocusLost();
    if (isLost && !focusBox(list.current, place.current)) focusInPlace(top.current);
  }, [followed]);
  const discard =
    discarding.ask === null
      ? null
      : (ref: string, name: string) => {
          place.current = placeOfFocus(list.current);
          discarding.ask?.({ changes: [ref], name });
        };

  const losses = lossesOf(diff, (ref) => !!ref && selection.stateOf(ref) === "off");
  const isGrave = hasGrave(diff.warnings);
  const isHarmless = !isGrave && !hasLosses(losses);
  const [wasHarmless] = useState(isHarmless);
  useEffect(() => {
    // The focus is where Enter does nothing, and the arrows scroll.
    if (!wasHarmless) focusInPlace(top.current);
  }, [wasHarmless]);

  const { isOutdated, isDisarmed, isPending } = publishing;
  const isNothing = diff.total === 0 && !diff.isFirst;
  const showAll = (section: Revealed) => {
    choose("all");
    reveal(section);
  };
  return (
    <>
      <Box px={20} pb={14} lineBelow className={classes["lead"]}>
        <ReviewSummary project={project} diff={diff} selection={selection} onLeave={onClose} />
      </Box>
      <Row className={classes["columns"]}>
        {diff.total > 0 && (
          <Box rigid fill="sunken" hide="small" w={208} className={classes["side"]}>
            <ReviewRail
              diff={diff}
              languages={project.languages}
              selection={selection}
              me={me}
              onTick={tick}
              onTickSection={(id, isOn) => tickSection(id, isOn, null)}
              onTickAll={tickAll}
              onReveal={(id) => showAll({ id })}
            />
          </Box>
        )}
        <div
          className={look({ grow: true, shrink: true, px: 20, pt: 2, pb: 20 }, classes["scroll"])}
          ref={top}
          tabIndex={-1}
        >
          {diff.total > 0 && (
            <ReviewBar
              diff={diff}
              selection={selection}
              me={me}
              filter={filter}
              counts={counts}
              onFilter={choose}
              onTickAll={tickAll}
              onDiscard={discarding.ask}
            />
          )}
          <div ref={list} {...arrows}>
            <ReviewList
              project={project}
              diff={diff}
              whole={reviewed.whole}
              selection={selection}
              shown={shown}
              filter={filter}
              losses={losses}
              revealed={revealed}
              onReveal={showAll}
              onTick={tick}
              onTickSection={tickSection}
              onDiscard={discard}
            />
          </div>
        </div>
      </Row>
      {isNothing ? (
        <div className={`${dialogFooter} ${look({ layout: "stack", gap: 12 })}`}>
          {discarding.notice}
          <Row align="center" justify="end" gap={8} className={classes["buttons"]}>
            <Button variant="filled" data-autofocus onClick={onClose}>
              Close
            </Button>
          </Row>
        </div>
      ) : (
        <ReviewFooter
          tally={selection.whole}
          removals={selection.tallyOf(REMOVALS)?.picked ?? 0}
          // Where something was renewed the focus is no longer on the button.
          enter={enterWords(isGrave, hasLosses(losses), isDisarmed || reviewed.isRenewed)}
          isRenewed={reviewed.isRenewed}
          isDisarmed={isDisarmed}
          isPending={isPending}
          autoFocus={wasHarmless}
          onPublish={publishing.send}
          onClose={onClose}
        >
          {discarding.notice}
          {publishing.notice}
          {isOutdated && (
            <Notice
              tone="warn"
              isUrgent
              action={
                <Button
                  size="xs"
                  onClick={() => {
                    publishing.dismiss();
                    renew();
                  }}
                >
                  Show the changes now
                </Button>
              }
            >
              {reviewed.released === null ? "The draft changed" : `Release ${reviewed.released} was published`} since
              you opened this.
            </Notice>
          )}
        </ReviewFooter>
      )}
    </>
  );
}

function enterWords(isGrave: boolean, hasRemovals: boolean, isAtRest: boolean): string | null {
  if (hasRemovals) return "Enter does not publish a removal.";
  if (isGrave) return "Enter does not publish what needs a check.";
  return isAtRest ? null : "Enter publishes";
}
