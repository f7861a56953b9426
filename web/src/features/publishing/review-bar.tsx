import type { Diff } from "@/lib/diff";
import { IconArrowBackUp, IconChevronDown } from "@/ui/icons";
import { MenuButton } from "@/ui/menu-button";
import type { MenuLine } from "@/ui/menu-list";
import { Row, Text } from "@/ui/parts";
import { Pill } from "@/ui/pill";
import { TickBox } from "@/ui/tick-box";
import classes from "./review-bar.module.css";
import type { Filter } from "./use-review-filter";
import type { Selection } from "./use-selection";

const labels: Record<Filter, string> = { all: "All", mine: "By me", check: "To check", left: "Left out" };
const filters = Object.keys(labels) as Filter[];
const menuLook = { position: "bottom-end", width: 260, shadow: "none" } as const;

export interface DiscardChoice {
  changes: readonly string[];
  name: string;
  title?: string;
}

export function ReviewBar({
  diff,
  selection,
  me,
  filter,
  counts,
  onFilter,
  onTickAll,
  onDiscard,
}: {
  diff: Diff;
  selection: Selection;
  me: string;
  filter: Filter;
  counts: Readonly<Record<Filter, number>>;
  onFilter: (filter: Filter) => void;
  onTickAll: (isOn: boolean) => void;
  /** Null for a person who can't. */
  onDiscard: ((choice: DiscardChoice) => void) | null;
}) {
  const { state, picked, total } = selection.whole;
  const words = `${picked.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return (
    <Row wrap align="center" gap={8} py={14} smallGap={6}>
      <Text as="span" align="center" me={6} size="s" weight={600} num gap={9} className={classes["all"]}>
        <TickBox state={state} label={`All changes, ${words} selected`} onTick={onTickAll} />
        <span aria-hidden="true">{words}</span>
      </Text>
      <Row as="fieldset" wrap gap={8} shrink p={0} m={0} border="none" className={classes["filters"]} aria-label="Show">
        {filters.map((name) => (
          <Pill key={name} isPressed={filter === name} count={counts[name]} onClick={() => onFilter(name)}>
            {labels[name]}
          </Pill>
        ))}
      </Row>
      {onDiscard !== null && (
        <MenuButton
          size={28}
          variant="default"
          className={classes["discard"] ?? ""}
          entries={discardLines(diff, selection, me, onDiscard)}
          look={menuLook}
        >
          <IconArrowBackUp size={13} aria-hidden="true" />
          Discard…
          <IconChevronDown size={13} aria-hidden="true" />
        </MenuButton>
      )}
    </Row>
  );
}

function discardLines(
  diff: Diff,
  selection: Selection,
  me: string,
  onDiscard: (choice: DiscardChoice) => void,
): MenuLine[] {
  const icon = <IconArrowBackUp size={15} aria-hidden="true" />;
  const { picked, kept } = selection.whole;
  const number = (count: number) => count.toLocaleString("en");
  const lines: MenuLine[] = [];
  const refs = kept > 0 && picked > 0 ? selection.picked() : null;
  if (refs !== null)
    lines.push({
      label: "The selected changes",
      icon,
      hint: number(picked),
      onClick: () => onDiscard({ changes: refs, name: "this selection" }),
    });
  else if (kept > 0 && picked > 0) lines.push({ text: "To discard the selected changes, show all of the long lists." });
  const people = (diff.people ?? []).filter((person) => person.id !== null);
  if (people.length > 1) {
    for (const { id, name, total } of people) {
      const who = id === me ? "you" : name;
      lines.push({
        label: `All by ${who}`,
        icon,
        hint: number(total),
        onClick: () => onDiscard({ changes: [`by:${id}`], name: who, title: `Discard all changes by ${who}?` }),
      });
    }
  }
  if (lines.length > 0) lines.push("divider");
  lines.push({
    label: "Everything",
    icon,
    color: "red",
    hint: number(diff.total),
    onClick: () => onDiscard({ changes: ["all"], name: "the whole draft", title: "Discard all unpublished changes?" }),
  });
  return lines;
}
