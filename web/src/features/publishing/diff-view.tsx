/** What a publish would change, part by part. */
import type { Project } from "@/lib/api-types";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { Badge } from "@/ui/badge";
import { RelativeTime } from "@/ui/relative-time";
import type { Check, ChecksOf } from "./checks";
import classes from "./diff-view.module.css";
import type { ColorChange, Diff, KeyChange, ScreenDiff } from "./queries";
import { type Piece, wordDiff } from "./word-diff";

const changes = {
  added: { tone: "ok", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  removed: { tone: "bad", word: "Removed" },
} as const;

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
          <KeyLine
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

function Author({ by, at }: { by: string | null; at: string }) {
  return (
    <span className={classes["author"]}>
      {by === null ? "" : `${by}, `}
      <RelativeTime moment={at} />
    </span>
  );
}

function KeyLine({
  change,
  languages,
  nameOf,
  checks,
}: {
  change: KeyChange;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  checks: readonly Check[];
}) {
  // As in the project, the default language first; a language that was deleted comes last.
  const rank = (code: string) => (languages.includes(code) ? languages.indexOf(code) : languages.length);
  const values = change.values.toSorted((a, b) => rank(a.language) - rank(b.language));
  const showLanguage = languages.length > 1 || values.length > 1;
  return (
    <li className={classes["key"]}>
      <div className={classes["line"]}>
        <span className={classes["name"]}>{change.key}</span>
        <Badge tone={changes[change.change].tone}>{changes[change.change].word}</Badge>
        {checks.length > 0 && <Badge tone="bad">Check</Badge>}
        <Author by={change.by} at={change.at} />
      </div>
      {values.map(({ language, old, new: next }) => {
        const words = wordDiff(old, next, language);
        const { direction, name } = nameOf(language);
        return (
          <div key={language} className={classes["value"]}>
            {showLanguage && <abbr title={name}>{language}</abbr>}
            <div className={classes["texts"]} dir={direction} lang={language}>
              {old !== "" && (
                <del>
                  <Words pieces={words.before} />
                </del>
              )}
              {next !== "" && (
                <ins>
                  <Words pieces={words.after} />
                </ins>
              )}
            </div>
          </div>
        );
      })}
      {checks.map(({ language, warning }) => (
        <p key={language} className={classes["check"]}>
          <abbr title={nameOf(language).name}>{language}</abbr>
          <span>{warning}</span>
        </p>
      ))}
    </li>
  );
}

function Words({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, isChanged, at }) => (isChanged ? <mark key={at}>{text}</mark> : text));
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
  const { tone, word } = changes[color.change];
  return (
    <li className={classes["key"]}>
      <div className={classes["line"]}>
        <span className={classes["name"]}>{color.key}</span>
        <Badge tone={tone}>{word}</Badge>
        <Author by={color.by} at={color.at} />
      </div>
      <div className={classes["swatches"]}>
        {color.old !== "" && <Swatch value={color.old} />}
        {color.old !== "" && color.new !== "" && color.old !== color.new && <span aria-hidden="true">→</span>}
        {color.new !== "" && color.new !== color.old && <Swatch value={color.new} />}
        {color.old === color.new && <span className={classes["faint"]}>another nickname</span>}
      </div>
    </li>
  );
}
