/** What a publish would change, part by part. */
import type { KeyChange, Project } from "@/lib/api-types";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { Badge } from "@/ui/badge";
import { ChangeHead, changes, KeyChangeLine } from "@/ui/key-change";
import type { Check, ChecksOf } from "./checks";
import classes from "./diff-view.module.css";
import type { ColorChange, Diff, ScreenDiff } from "./queries";
import { StoreChanges } from "./store-changes";

export function DiffView({ diff, project, checksOf }: { diff: Diff; project: Project; checksOf: ChecksOf }) {
  const nameOf = useLanguageNames();
  return (
    <div className={classes["diff"]}>
      {diff.languages.length > 0 && (
        <section aria-label="Languages">
          <h3>Languages</h3>
          <ul>
            {diff.languages.map(({ language, change }) => (
              <li key={language} className={classes["line"]}>
                <span>
                  {nameOf(language).name} <span className={classes["faint"]}>{language}</span>
                </span>
                <Badge tone={changes[change].tone}>{changes[change].word}</Badge>
              </li>
            ))}
          </ul>
        </section>
      )}
      {diff.screens.map((screen) => (
        <ScreenChanges
          key={screen.screen}
          screen={screen}
          project={project}
          nameOf={nameOf}
          checksOf={(key) => checksOf(screen.screen, key)}
        />
      ))}
      {diff.colors.length > 0 && (
        <section aria-label="Colours">
          <h3>Colours</h3>
          <ul>
            {diff.colors.map((color) => (
              <ColorLine key={color.key} color={color} />
            ))}
          </ul>
        </section>
      )}
      {diff.stores.map((store) => (
        <StoreChanges key={store.store} store={store} languages={project.languages} nameOf={nameOf} />
      ))}
    </div>
  );
}

function ScreenChanges({
  screen,
  project,
  nameOf,
  checksOf,
}: {
  screen: ScreenDiff;
  project: Project;
  nameOf: (code: string) => LanguageName;
  checksOf: (key: string) => readonly Check[];
}) {
  const title = screen.screen === "general" ? "Content - General" : screen.screen;
  const hidden = screen.total - screen.keys.length;
  return (
    <section aria-label={title}>
      <h3>
        {title}
        {screen.change !== "changed" && screen.screen !== "general" && (
          <Badge tone={changes[screen.change].tone}>
            {screen.change === "added" ? "New screen" : "Screen removed"}
          </Badge>
        )}
        <span className={classes["count"]}>{screen.total === 1 ? "1 key" : `${screen.total} keys`}</span>
      </h3>
      {screen.keys.length === 0 && (
        <p className={classes["faint"]}>
          {screen.change === "added" ? "An empty screen." : "The screen has no texts; it goes."}
        </p>
      )}
      <ul>
        {screen.keys.map((key) => (
          <CheckedKeyLine
            key={key.key}
            change={key}
            languages={project.languages}
            nameOf={nameOf}
            checks={checksOf(key.key)}
          />
        ))}
      </ul>
      {hidden > 0 && <p className={classes["faint"]}>and {hidden.toLocaleString("en")} more keys</p>}
    </section>
  );
}

function CheckedKeyLine({
  checks,
  nameOf,
  ...line
}: {
  change: KeyChange;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  checks: readonly Check[];
}) {
  return (
    <KeyChangeLine {...line} nameOf={nameOf} badge={checks.length > 0 && <Badge tone="bad">Check</Badge>}>
      {checks.map(({ language, warning }) => (
        <p key={language} className={classes["check"]}>
          <abbr title={nameOf(language).name}>{language}</abbr>
          <span>{warning}</span>
        </p>
      ))}
    </KeyChangeLine>
  );
}

function Swatch({ value }: { value: string }) {
  return (
    <span className={classes["color"]}>
      <i style={{ background: value }} aria-hidden="true" />
      <span className="mono">{value}</span>
    </span>
  );
}

function ColorLine({ color }: { color: ColorChange }) {
  return (
    <li>
      <ChangeHead name={color.key} change={color.change} by={color.by} at={color.at} />
      <div className={classes["swatches"]}>
        {color.old !== "" && <Swatch value={color.old} />}
        {color.old !== "" && color.new !== "" && color.old !== color.new && <span aria-hidden="true">→</span>}
        {color.new !== "" && color.new !== color.old && <Swatch value={color.new} />}
        {color.old === color.new && <span className={classes["faint"]}>another nickname</span>}
      </div>
    </li>
  );
}
