/** All warnings of a review in one place, each with the way to what it is about. */
import { Button, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { isGrave, type PlaceWarnings, titleOf, type WarningLine, warningLinesOf } from "@/lib/diff";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { Badge } from "./badge";
import type { Revealed } from "./diff-section";
import { look } from "./look";
import { Box, Heading, Row, Text } from "./parts";
import { sectionOf, warningLooks } from "./value-warnings";
import classes from "./value-warnings.module.css";

const list = new Intl.ListFormat("en", { type: "conjunction" });
const NAMED = 3;
const LISTED = 5;

/** A line for each fault of each screen or store, and the way to it. What needs a check is never folded. */
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
    <Box
      as="section"
      px={14}
      py={12}
      mb={20}
      fill="sunken"
      border="line"
      radius="m"
      className={classes["summary"]}
      aria-label="Warnings"
    >
      <Heading as="h3" pb={4} size="s">
        {all.length === 1 ? "1 warning" : `${all.length.toLocaleString("en")} warnings`}
      </Heading>
      <ul>
        {shown.map((line) => (
          <Row
            as="li"
            align="baseline"
            gap={8}
            py={4}
            size="s"
            key={`${sectionOf(line.place)}/${line.kind}/${line.field ?? ""}`}
          >
            <Badge tone={warningLooks[line.kind].tone}>{warningLooks[line.kind].word}</Badge>
            <Text as="span" shrink tone="ink-2" breaks>
              <UnstyledButton
                className={look({ tone: "accent-text", size: "inherit", weight: 500 }, classes["where"])}
                onClick={() => onReveal({ id: sectionOf(line.place) })}
              >
                <bdi>{line.place.store === null ? titleOf(line.place.screen ?? "") : line.place.name}</bdi>
              </UnstyledButton>
              : {sentenceOf(line, nameOf)}
              <Named line={line} onReveal={onReveal} />.
            </Text>
          </Row>
        ))}
      </ul>
      {shown.length < all.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          Show {all.length - shown.length} more
        </Button>
      )}
    </Box>
  );
}

function sentenceOf({ kind, field, languages, count }: WarningLine, nameOf: (code: string) => LanguageName): string {
  const many = (one: string) => `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
  const are = count === 1 ? "is" : "are";
  switch (kind) {
    case "required":
      return `${many("item")} without ${field ?? ""}, which is required`;
    case "malformed":
      return `${many("text")} with a placeholder, plural or select that apps can't read`;
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
          className={look({ tone: "accent-text", size: "inherit", weight: 500 }, classes["where"])}
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
