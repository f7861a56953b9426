/** Beside a review: its sections, languages and people, each with a box that leaves all of it out. */
import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useMemo, useRef } from "react";
import type { Diff } from "@/lib/diff";
import { useLanguageNames } from "@/lib/languages";
import { look } from "@/ui/look";
import { Box, Heading, Row, Text } from "@/ui/parts";
import { TickBox } from "@/ui/tick-box";
import { REMOVALS } from "./review-entries";
import classes from "./review-rail.module.css";
import { useArrows } from "./use-arrows";
import { refsBy } from "./use-review-filter";
import type { Selection, Tally } from "./use-selection";

export function ReviewRail({
  diff,
  languages,
  selection,
  me,
  onTick,
  onTickSection,
  onTickAll,
  onReveal,
}: {
  diff: Diff;
  /** In the project's order. */
  languages: readonly string[];
  selection: Selection;
  /** The id of this person. */
  me: string;
  onTick: (refs: readonly string[], isOn: boolean) => void;
  onTickSection: (id: string, isOn: boolean) => void;
  onTickAll: (isOn: boolean) => void;
  onReveal: (section: string) => void;
}) {
  const nameOf = useLanguageNames();
  const rail = useRef<HTMLElement>(null);
  const arrows = useArrows(rail);
  const { review } = selection;
  const people = useMemo(
    () =>
      (diff.people ?? []).map(({ id, name }) => ({ id, name: id === me ? "You" : name, refs: refsBy(selection, id) })),
    [diff, selection, me],
  );
  const editors = people.filter(({ refs }) => refs.length > 0);
  const rank = (code: string) => (languages.includes(code) ? languages.indexOf(code) : languages.length);
  const texts = [...review.languages].toSorted(([a], [b]) => rank(a) - rank(b));
  const isCut = review.hidden > 0;
  const reason = isCut ? "Show all changes of the long lists to choose by language or person." : undefined;
  const of = (refs: readonly string[]) => ({
    tally: selection.tallyOfRefs(refs),
    isFixed: isCut,
    reason,
    onTick: (isOn: boolean) => onTick(refs, isOn),
  });
  return (
    <Box
      as="nav"
      ref={rail}
      self="start"
      place="sticky"
      px={12}
      py={14}
      scroll
      size="s"
      hide="small"
      className={classes["rail"]}
      aria-label="Parts of the review"
      {...arrows}
    >
      <Line title="Everything" tally={selection.whole} isMain onTick={onTickAll} />
      {review.sections.map(({ id, title }) => (
        <Line
          key={id}
          title={title}
          tally={selection.tallyOf(id)}
          isLoss={id === REMOVALS}
          onTick={(isOn) => onTickSection(id, isOn)}
          onReveal={() => onReveal(id)}
        />
      ))}
      {texts.length > 1 && (
        <Group title="By language">
          {texts.map(([code, refs]) => (
            <Line key={code} title={nameOf(code).name} {...of(refs)} />
          ))}
        </Group>
      )}
      {editors.length > 1 && (
        <Group title="By person">
          {editors.map(({ id, name, refs }) => (
            <Line key={id ?? ""} title={name} {...of(refs)} />
          ))}
        </Group>
      )}
      {isCut && (texts.length > 1 || editors.length > 1) && (
        <Text p={8} size="xs" tone="ink-3">
          {reason}
        </Text>
      )}
    </Box>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Heading as="h3" px={8} pt={14} pb={8} tone="ink-3" className={classes["heading"]}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

function Line({
  title,
  tally,
  isMain = false,
  isLoss = false,
  isFixed = false,
  reason,
  onTick,
  onReveal,
}: {
  title: string;
  tally: Tally | undefined;
  isMain?: boolean;
  isLoss?: boolean;
  isFixed?: boolean;
  reason?: string | undefined;
  onTick: (isOn: boolean) => void;
  /** Shows the part; without it the name ticks the box. */
  onReveal?: () => void;
}) {
  if (tally === undefined) return null;
  const { state, picked, total } = tally;
  const count =
    picked === total ? total.toLocaleString("en") : `${picked.toLocaleString("en")} / ${total.toLocaleString("en")}`;
  const toggle = () => {
    if (!isFixed) onTick(state !== "on");
  };
  return (
    <Row
      align="center"
      px={8}
      radius="s"
      hover
      gap={9}
      minH={32}
      className={classes["line"]}
      data-main={isMain || undefined}
      data-loss={isLoss || undefined}
    >
      <TickBox
        state={state}
        label={`${title}, ${picked.toLocaleString("en")} of ${total.toLocaleString("en")} selected`}
        isFixed={isFixed}
        title={reason}
        onTick={onTick}
      />
      <UnstyledButton
        className={look({ grow: true, shrink: true, textAlign: "start", truncate: true }, classes["name"])}
        title={title}
        tabIndex={onReveal === undefined ? -1 : 0}
        aria-hidden={onReveal === undefined || undefined}
        onClick={onReveal ?? toggle}
      >
        <bdi>{title}</bdi>
      </UnstyledButton>
      <Text as="span" rigid size="xs" tone="ink-3" num className={classes["count"]} aria-hidden="true">
        {count}
      </Text>
    </Row>
  );
}
