/** What differs between two states of the content, part by part, with what was found to be worth a second look. */
import type { ReactNode } from "react";
import type { KeyChange, Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { type Changes, type EntryWarnings, type PlaceWarnings, type ScreenDiff, titleOf } from "@/lib/diff";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import type { WholeLists } from "@/lib/use-whole-lists";
import { Badge } from "./badge";
import { ColorChangeLine } from "./color-change";
import { DiffSection, type Revealed } from "./diff-section";
import classes from "./diff-view.module.css";
import { changes, KeyChangeLine, Stamps } from "./key-change";
import { StoreChanges } from "./store-changes";
import { OtherWarnings, sectionOf, WarningBadges, WarningLines } from "./value-warnings";

/** So many lines stand open at once; the parts behind them begin folded. */
const OPEN_LINES = 120;
const noPlaces: readonly PlaceWarnings[] = [];

export function DiffView({
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
  /** Without, nothing says who changed it and when. */
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
      <div className={classes["diff"]}>
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
            {({ language, change }) => (
              <li key={language} className={classes["line"]}>
                <span>
                  {nameOf(language).name} <span className={classes["faint"]}>{language}</span>
                </span>
                <Badge tone={changes[change].tone}>{changes[change].word}</Badge>
              </li>
            )}
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
      </div>
    </Stamps>
  );
}

/** Whether a part of so many lines begins folded: asked part after part. The first one never is. */
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
          <p className={classes["faint"]}>
            {screen.change === "added" ? "An empty screen." : "The screen has no texts; it goes."}
          </p>
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
