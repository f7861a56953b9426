/** What is worth a second look, in lines: beside the values that it is about, and over a review with numbers. */
import { Button, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import {
  type EntryWarnings,
  isGrave,
  type PlaceWarnings,
  titleOf,
  type ValueWarning,
  type WarningLine,
  warningLinesOf,
} from "@/lib/diff";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { Badge, type BadgeTone } from "./badge";
import { markOf, type Revealed } from "./diff-section";
import classes from "./value-warnings.module.css";

const list = new Intl.ListFormat("en", { type: "conjunction" });
const NAMED = 3;
const LISTED = 5;

const looks: Record<ValueWarning["kind"], { tone: BadgeTone; word: string }> = {
  required: { tone: "bad", word: "Check" },
  malformed: { tone: "bad", word: "Check" },
  placeholder: { tone: "bad", word: "Check" },
  plural: { tone: "warn", word: "Plural" },
  missing: { tone: "warn", word: "Missing" },
  outdated: { tone: "warn", word: "Outdated" },
  pseudo: { tone: "ai", word: "Pseudo" },
};

/** Whether any warning needs a check before the publish. */
export const hasGrave = (places: readonly PlaceWarnings[]): boolean =>
  places.some(({ counts }) => counts.some(isGrave));

/** Names the section of a screen or store. */
export const sectionOf = ({ screen, store }: { screen: string | null; store: string | null }): string =>
  store === null ? `screen/${screen ?? ""}` : `store/${store}`;

/** Each kind of warning of an entry in a word. */
export function WarningBadges({ warnings }: { warnings: EntryWarnings | undefined }) {
  const words = new Map(warnings?.values.map(({ kind }) => [looks[kind].word, looks[kind].tone]));
  return [...words].map(([word, tone]) => (
    <Badge key={word} tone={tone}>
      {word}
    </Badge>
  ));
}

/** The warnings of an entry, a sentence each. Languages that are missing, or older, stand in one, where there are several. */
export function WarningLines({
  warnings,
  nameOf,
}: {
  warnings: EntryWarnings | undefined;
  nameOf: (code: string) => LanguageName;
}) {
  return linesOf(warnings?.values ?? [], nameOf).map(({ kind, place, text }) => (
    <p key={`${kind}/${place}`} className={classes["line"]} data-tone={looks[kind].tone}>
      <span className={classes["place"]}>{place}</span>
      <span>{text}</span>
    </p>
  ));
}

interface Line {
  kind: ValueWarning["kind"];
  place: string;
  text: string;
}

function linesOf(values: readonly ValueWarning[], nameOf: (code: string) => LanguageName): Line[] {
  const lines: Line[] = [];
  const missing = new Map<string, ValueWarning[]>();
  const outdated = values.filter(({ kind }) => kind === "outdated");
  for (const value of values) {
    const { kind, field, language, message } = value;
    if (kind === "missing") missing.set(field ?? "", [...(missing.get(field ?? "") ?? []), value]);
    else if (kind !== "outdated" || outdated.length === 1)
      lines.push({
        kind,
        // The sentence about a required field names it already.
        place: kind === "required" ? "" : [field, language].filter((part) => part !== null).join(" "),
        text: message,
      });
  }
  const namesOf = (group: readonly ValueWarning[]) =>
    group.map(({ language }) => (language === null ? "" : nameOf(language).name));
  if (outdated.length > 1)
    lines.push({
      kind: "outdated",
      place: "",
      text: `Older than what they translate: ${list.format(namesOf(outdated))}.`,
    });
  for (const [field, group] of missing) {
    const [first] = group;
    const languages = namesOf(group);
    if (first !== undefined)
      lines.push({
        kind: "missing",
        place: field,
        text: group.length === 1 ? first.message : `Missing in ${list.format(languages)}.`,
      });
  }
  return lines;
}

/** Warnings of keys or items that are not among the lines of the section: behind the last one, or not changed themselves. */
export function OtherWarnings({
  warnings,
  shown,
  nameOf,
  marked,
}: {
  warnings: PlaceWarnings | undefined;
  /** The ids of the keys or items that are among the lines. */
  shown: readonly string[];
  nameOf: (code: string) => LanguageName;
  /** The id of the one to look at. */
  marked: string | undefined;
}) {
  const ids = new Set(shown);
  const others = warnings?.entries.filter(({ _id }) => !ids.has(_id)) ?? [];
  if (others.length === 0) return null;
  return (
    <div className={classes["others"]}>
      <h4>Not shown above</h4>
      <ul>
        {others.map((entry) => (
          <li key={entry._id} {...markOf(entry._id === marked)}>
            <bdi className={classes["name"]}>{entry.label}</bdi>
            <WarningLines warnings={entry} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** All warnings of a review, a line for each fault of each screen or store, and the way to it. What needs a check is never folded. */
export function WarningSummary({
  places,
  onReveal,
}: {
  places: readonly PlaceWarnings[];
  onReveal: (section: Revealed) => void;
}) {
  const nameOf = useLanguageNames();
  const [isWhole, setWhole] = useState(false);
  const all = warningLinesOf(places);
  const shown = isWhole ? all : all.slice(0, Math.max(LISTED, all.filter(isGrave).length));
  if (all.length === 0) return null;
  return (
    <section className={classes["summary"]} aria-label="Warnings">
      <h3>{all.length === 1 ? "1 warning" : `${all.length.toLocaleString("en")} warnings`}</h3>
      <ul>
        {shown.map((line) => (
          <li key={`${sectionOf(line.place)}/${line.kind}/${line.field ?? ""}`}>
            <Badge tone={looks[line.kind].tone}>{looks[line.kind].word}</Badge>
            <span className={classes["said"]}>
              <UnstyledButton className={classes["where"]} onClick={() => onReveal({ id: sectionOf(line.place) })}>
                <bdi>{line.place.store === null ? titleOf(line.place.screen ?? "") : line.place.name}</bdi>
              </UnstyledButton>
              : {sentenceOf(line, nameOf)}
              <Named line={line} onReveal={onReveal} />.
            </span>
          </li>
        ))}
      </ul>
      {shown.length < all.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          Show {all.length - shown.length} more
        </Button>
      )}
    </section>
  );
}

function sentenceOf({ kind, field, languages, count }: WarningLine, nameOf: (code: string) => LanguageName): string {
  const many = (one: string) => `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
  const are = count === 1 ? "is" : "are";
  switch (kind) {
    case "required":
      return `${many("item")} without ${field ?? ""}, which is required`;
    case "malformed":
      return `${many("text")} with a plural or select that apps can't read`;
    case "placeholder":
      return `${many("text")} with other placeholders than the original`;
    case "plural":
      return `${many("text")} without a plural form that ${count === 1 ? "its language needs" : "their languages need"}`;
    case "missing":
      return `${many("text")} ${are} missing in ${list.format(languages.map((code) => nameOf(code).name))}`;
    case "outdated":
      return `${many("text")} ${are} older than what ${count === 1 ? "it translates" : "they translate"}`;
    case "pseudo":
      return `${many("text")} ${are} pseudo text for testing layouts, not ${count === 1 ? "a translation" : "translations"}`;
  }
}

/** Names the first keys or items that a grave warning is about, each as the way to it: ' (price, title and 3 more)'. */
function Named({ line, onReveal }: { line: WarningLine; onReveal: (section: Revealed) => void }) {
  if (!isGrave(line)) return null;
  const { place, kind, field } = line;
  const about = place.entries.filter(({ values }) =>
    values.some((value) => value.kind === kind && (field === null || value.field === field)),
  );
  if (about.length === 0) return null;
  const more = about.length - NAMED;
  const first = about.slice(0, NAMED).map(({ label }) => label);
  const said = list.formatToParts(more > 0 ? [...first, `${more} more`] : first);
  const { nodes } = said.reduce<{ nodes: ReactNode[]; next: number }>(
    ({ nodes, next }, { type, value }) => {
      const entry = type === "element" ? about[next] : undefined;
      if (entry === undefined) return { nodes: [...nodes, value], next };
      const button = (
        <UnstyledButton
          key={entry._id}
          className={classes["where"]}
          onClick={() => onReveal({ id: sectionOf(place), entry: entry._id })}
        >
          <bdi>{value}</bdi>
        </UnstyledButton>
      );
      return { nodes: [...nodes, button], next: next + 1 };
    },
    { nodes: [], next: 0 },
  );
  return <> ({nodes})</>;
}
