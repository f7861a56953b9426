/** Which entries to show: by person, kind of act, days and target. The filters are in the page's address. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { AUDIT_SEARCH_CHARACTERS } from "@/lib/limits.gen";
import { look } from "@/ui/look";
import classes from "./audit.module.css";
import { areas, type Filters, isFiltered, isReversed } from "./filters";
import { peopleQuery } from "./queries";

const TYPED_MS = 300;
const KINDS = [
  { value: "job", label: "Jobs" },
  { value: "operator", label: "The operator" },
];

export function FilterBar({
  projectId,
  filters,
  onChange,
  onClear,
}: {
  projectId: string;
  filters: Filters;
  onChange: (filters: Filters) => void;
  onClear: () => void;
}) {
  const { data } = useQuery(peopleQuery(projectId));
  const people = (data?.people ?? []).map(({ _id, name, email }) => ({
    value: _id,
    label: email === null ? name : `${name} (${email})`,
  }));
  const isKnown = filters.actor === "" || [...people, ...KINDS].some(({ value }) => value === filters.actor);
  const isArea = filters.action === "" || areas.some(({ value }) => value === filters.action);
  const set = (change: Partial<Filters>) => onChange({ ...filters, ...change });
  return (
    <search
      aria-label="Filter the audit log"
      className={look({ layout: "grid", align: "start", gap: 10, mb: 10, noPrint: true }, classes["filters"])}
    >
      <NativeSelect
        label="Person"
        value={filters.actor}
        onChange={(event) => set({ actor: event.currentTarget.value })}
        data={[
          { value: "", label: "Everybody" },
          { group: "People", items: isKnown ? people : [...people, { value: filters.actor, label: filters.actor }] },
          { group: "Not by hand", items: KINDS },
        ]}
      />
      <NativeSelect
        label="Kind of act"
        value={filters.action}
        onChange={(event) => set({ action: event.currentTarget.value })}
        data={[
          { value: "", label: "All acts" },
          ...areas,
          ...(isArea ? [] : [{ value: filters.action, label: filters.action }]),
        ]}
      />
      <TextInput
        label="First day"
        type="date"
        value={filters.from}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label="Last day"
        type="date"
        value={filters.to}
        error={isReversed(filters) && "It is before the first day."}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      <TargetField text={filters.text} onText={(text) => set({ text })} />
      {isFiltered(filters) && (
        // On the line of the fields, below the line of their labels.
        <Button className={look({ mt: 28 }, classes["clear"])} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** Asks once the typing rests, not at each letter. */
function TargetField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [asked, setAsked] = useState(text);
  if (asked !== text) {
    setAsked(text);
    setTyped(text);
  }
  // The other filters may change before the timer ends: the text joins the filters that are set then.
  const ask = useEffectEvent((wanted: string) => {
    if (wanted !== text) onText(wanted);
  });
  useEffect(() => {
    const timer = setTimeout(() => ask(typed), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      className={classes["target"]}
      label="Key, name or other target"
      type="search"
      maxLength={AUDIT_SEARCH_CHARACTERS}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
