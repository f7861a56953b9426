/** What differs between two states of the content, part by part, with what is worth a second look. */
import { memo, type ReactNode } from "react";
import type { Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import {
  type Changes,
  type EntryWarnings,
  type KeyChange,
  type LanguageDiff,
  type PlaceWarnings,
  type ScreenDiff,
  titleOf,
} from "@/lib/diff";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import type { WholeLists } from "@/lib/use-whole-lists";
import { Badge } from "./badge";
import { ChangeRow, DiscardButton, StaysMark } from "./change-row";
import { ColorChangeLine } from "./color-change";
import { DiffSection, type Revealed } from "./diff-section";
import classes from "./diff-view.module.css";
import { changes, KeyChangeLine, Stamps } from "./key-change";
import { Row, Stack, Text } from "./parts";
import { StoreChanges } from "./store-changes";
import { OtherWarnings, sectionOf, WarningBadges, WarningLines } from "./value-warnings";

/** The parts after so many lines begin folded. */
const OPEN_LINES = 120;
const noPlaces: readonly PlaceWarnings[] = [];

/** Draws again only for a different comparison: its boxes and marks follow what is ticked by themselves. */
export const DiffView = memo(function DiffView({
  diff,
  project,
  warnings = noPlaces,
  revealed = null,
  whole,
  hasStamps = true,
  children,
}: {
  diff: Changes;
  project: Project;
  warnings?: readonly PlaceWarnings[];
  revealed?: Revealed | null;
  /** The way to the rest of long lists. */
  whole?: WholeLists;
  /** Whether it shows who changed each entry, and when. */
  hasStamps?: boolean;
  /** More parts, behind these. */
  children?: ReactNode;
}) {
  const nameOf = useLanguageNames();
  const { languages } = project;
  const changedLanguages = diff.languages ?? [];
  const colorsTotal = diff.colorsTotal ?? diff.colors.length;
  const isFolded = foldsAfter(OPEN_LINES);
  return (
    <Stamps value={hasStamps}>
      <Stack gap={22} className={classes["diff"]}>
        {changedLanguages.length > 0 && (
          <DiffSection
            id="languages"
            label="Languages"
            title="Languages"
            count={counted(changedLanguages.length, "language")}
            isFolded={isFolded(changedLanguages.length)}
            revealed={revealed}
            lines={changedLanguages}
          >
            {(language) => <LanguageLine key={language.language} change={language} nameOf={nameOf} />}
          </DiffSection>
        )}
        {diff.screens.map((screen) => (
          <ScreenChanges
            key={screen.screen}
            screen={screen}
            languages={languages}
            nameOf={nameOf}
            warnings={warnings.find((place) => place.screen === screen.screen)}
            isFolded={isFolded(screen.keys.length)}
            revealed={revealed}
            whole={whole}
          />
        ))}
        {diff.colors.length > 0 && (
          <DiffSection
            id="colors"
            label="Colours"
            title="Colours"
            count={counted(colorsTotal, "colour")}
            isFolded={isFolded(diff.colors.length)}
            revealed={revealed}
            lines={diff.colors}
            rest={colorsTotal - diff.colors.length}
            of="colours"
          >
            {(color) => <ColorChangeLine key={color.key} change={color} />}
          </DiffSection>
        )}
        {diff.stores.map((store) => (
          <StoreChanges
            key={store.store}
            store={store}
            languages={languages}
            nameOf={nameOf}
            warnings={warnings.find((place) => place.store === store.store)}
            isFolded={isFolded(store.items.length)}
            revealed={revealed}
            whole={whole}
          />
        ))}
        {children}
      </Stack>
    </Stamps>
  );
});

export function LanguageLine({
  change: { language, change, ref },
  nameOf,
  badge,
}: {
  change: LanguageDiff;
  nameOf: (code: string) => LanguageName;
  badge?: ReactNode;
}) {
  const of = { ref, name: nameOf(language).name };
  return (
    <ChangeRow of={of}>
      <Row wrap align="center" gap={2} gapX={8}>
        <span>
          {of.name}{" "}
          <Text as="span" size="s" tone="ink-3">
            {language}
          </Text>
        </span>
        <Badge tone={changes[change].tone}>{changes[change].word}</Badge>
        {badge}
        <StaysMark of={of} />
        <Text as="span" ms="auto">
          <DiscardButton of={of} />
        </Text>
      </Row>
    </ChangeRow>
  );
}

/** Whether a part of so many lines begins folded; asked for each part in turn. The first part never is folded. */
function foldsAfter(limit: number): (lines: number) => boolean {
  let drawn = 0;
  return (lines) => {
    const isFolded = drawn > 0 && drawn + lines > limit;
    drawn += lines;
    return isFolded;
  };
}

function ScreenChanges({
  screen,
  languages,
  nameOf,
  warnings,
  isFolded,
  revealed,
  whole,
}: {
  screen: ScreenDiff;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  warnings: PlaceWarnings | undefined;
  isFolded: boolean;
  revealed: Revealed | null;
  whole: WholeLists | undefined;
}) {
  const title = titleOf(screen.screen);
  const rest = screen.total - screen.keys.length;
  const found = new Map(warnings?.entries.map((entry) => [entry._id, entry]));
  return (
    <DiffSection
      id={sectionOf({ screen: screen.screen, store: null })}
      label={title}
      title={
        <>
          {title}
          {screen.change !== "changed" && screen.screen !== "general" && (
            <Badge tone={changes[screen.change].tone}>
              {screen.change === "added" ? "New screen" : "Screen removed"}
            </Badge>
          )}
        </>
      }
      count={counted(screen.total, "key")}
      isFolded={isFolded}
      revealed={revealed}
      lines={screen.keys}
      rest={rest}
      of={rest === 1 ? "key" : "keys"}
      whole={whole}
      idOf={({ key }) => key}
      before={
        screen.keys.length === 0 && (
          <Text pt={8} size="s" tone="ink-3">
            {screen.change === "added" ? "An empty screen." : "The screen has no texts; it goes."}
          </Text>
        )
      }
      after={
        <OtherWarnings
          warnings={warnings}
          shown={screen.keys.map(({ key }) => key)}
          nameOf={nameOf}
          marked={revealed?.entry}
        />
      }
    >
      {(key, isMarked) => (
        <KeyLine
          key={key.key}
          change={key}
          languages={languages}
          nameOf={nameOf}
          warnings={found.get(key.key)}
          isMarked={isMarked}
        />
      )}
    </DiffSection>
  );
}

function KeyLine({
  warnings,
  nameOf,
  ...line
}: {
  change: KeyChange;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  warnings: EntryWarnings | undefined;
  isMarked: boolean;
}) {
  return (
    <KeyChangeLine {...line} nameOf={nameOf} badge={<WarningBadges warnings={warnings} />}>
      <WarningLines warnings={warnings} nameOf={nameOf} />
    </KeyChangeLine>
  );
}
