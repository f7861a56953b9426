import { type EntryWarnings, isGrave, type PlaceWarnings, type ValueWarning } from "@/lib/diff";
import type { LanguageName } from "@/lib/languages";
import { Badge } from "./badge";
import { markOf } from "./diff-section";
import { Box, Heading, Row, Text } from "./parts";
import classes from "./value-warnings.module.css";

const list = new Intl.ListFormat("en", { type: "conjunction" });

export const warningLooks: Record<ValueWarning["kind"], { tone: "bad" | "warn" | "ai"; word: string }> = {
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
  const words = new Map(warnings?.values.map(({ kind }) => [warningLooks[kind].word, warningLooks[kind].tone]));
  return [...words].map(([word, tone]) => (
    <Badge key={word} tone={tone}>
      {word}
    </Badge>
  ));
}

/** The warnings of an entry, a sentence each. Several missing languages of a field share a sentence, and so do several outdated texts. */
export function WarningLines({
  warnings,
  nameOf,
}: {
  warnings: EntryWarnings | undefined;
  nameOf: (code: string) => LanguageName;
}) {
  return linesOf(warnings?.values ?? [], nameOf).map(({ kind, place, text }) => (
    <Row
      as="p"
      key={`${kind}/${place}`}
      gap={10}
      pt={6}
      size="s"
      lineH={21}
      tone={warningLooks[kind].tone}
      className={classes["line"]}
      data-tone={warningLooks[kind].tone}
    >
      <Text as="span" rigid tone="ink-3" minW={24} className={classes["place"]}>
        {place}
      </Text>
      <span>{text}</span>
    </Row>
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

/** Warnings of keys or items that are not among the lines of the section: behind the last line, or not changed themselves. */
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
    <Box pt={12}>
      <Heading as="h4" size="xs" weight={500} tone="ink-3">
        Not shown above
      </Heading>
      <ul>
        {others.map((entry) => (
          <li key={entry._id} {...markOf(entry._id === marked)}>
            <Text as="bdi" size="s" weight={500} breaks>
              {entry.label}
            </Text>
            <WarningLines warnings={entry} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </Box>
  );
}
